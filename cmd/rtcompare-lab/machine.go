package main

func machineCommands() []command { return nil }
