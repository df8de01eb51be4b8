package stat
import "testing"
func TestZZ(t *testing.T){
 for _,n:=range []int{100,1000,200000}{ d:=BootstrapMedianSorted(ascending(n)); 
 x:=make([]float64,n); r:=random(1); for i:=range x {x[i]=r.Float64()}; e:=BootstrapMedian(x,1)
 t.Log(n,d.Len(),e.Len())}
}
