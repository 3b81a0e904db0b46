using System.Runtime.InteropServices;

namespace CamCube.Runtime.Memory;

/// <summary>The hot blocks of all servers of one thread, page aligned and outside the heap: servers keep a pointer, the
/// simulator an index.</summary>
internal sealed unsafe class HotArray : IDisposable
{
    private HotState* _states;

    public HotArray(int count)
    {
        _states = (HotState*)NativeMemory.AlignedAlloc((nuint)(count * sizeof(HotState)), 4096);
        for (int i = 0; i < count; i++)
        {
            _states[i].Clear();
        }
    }

    ~HotArray() => Free();

    public ref HotState this[int i] => ref _states[i];

    public HotPointer Pointer(int i) => new(_states + i);

    public void Dispose()
    {
        Free();
        GC.SuppressFinalize(this);
    }

    private void Free()
    {
        NativeMemory.AlignedFree(_states);
        _states = null;
    }
}
