using System.Runtime.CompilerServices;

namespace CamCube.Runtime.Memory;

/// <summary>A server's hot block. Valid as long as the array is.</summary>
internal readonly unsafe struct HotPointer(HotState* state)
{
    private readonly HotState* _state = state;

    public ref HotState Ref
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref *_state;
    }
}
