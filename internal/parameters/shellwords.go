package parameters

// reservedWords begin a construct of the shell's language (POSIX.1-2024, XCU
// 2.4, and those that bash adds).
var reservedWords = []string{
	"!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function",
	"if", "in", "namespace", "select", "then", "time", "until", "while", "{", "}",
}

// builtins are commands that sh, dash, bash, ksh or zsh carry out themselves.
// Some of them exist as programs too, but then the line's meaning is the
// builtin: its options differ, and so does the time it takes.
var builtins = []string{
	".", ":", "[", "alias", "autoload", "bg", "bind", "bindkey", "break", "builtin", "caller", "cd", "chdir",
	"command", "compgen", "complete", "compopt", "continue", "declare", "dirs", "disown", "echo",
	"emulate", "enable", "eval", "exec", "exit", "export", "false", "fc", "fg", "float", "functions", "getopts", "hash",
	"help", "hist", "history", "integer", "jobs", "kill", "let", "limit", "local", "logout", "mapfile", "noglob", "popd", "print",
	"printf", "pushd", "pwd", "read", "readarray", "readonly", "rehash", "return", "sched", "set", "setopt", "shift", "shopt",
	"source", "suspend", "test", "times", "trap", "true", "ttyctl", "type", "typeset", "ulimit", "umask",
	"unalias", "unfunction", "unset", "unsetopt", "wait", "whence", "where", "which", "zmodload",
}

// commandPromptBuiltins are commands that cmd.exe carries out itself.
var commandPromptBuiltins = []string{
	"assoc", "break", "call", "cd", "chdir", "cls", "color", "copy", "date", "del", "dir", "echo", "endlocal",
	"erase", "exit", "for", "ftype", "goto", "if", "md", "mkdir", "mklink", "move", "path", "pause", "popd", "prompt",
	"pushd", "rd", "rem", "ren", "rename", "rmdir", "set", "setlocal", "shift", "start", "time", "title", "type", "ver",
	"verify", "vol",
}
