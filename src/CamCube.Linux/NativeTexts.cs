using System.Runtime.InteropServices;

namespace CamCube.Linux;

/// <summary>Texts as C wants them: an array of pointers that ends with a null.</summary>
internal sealed unsafe class NativeTexts : IDisposable
{
    private readonly int _count;

    /// <summary>Copies them.</summary>
    public NativeTexts(IReadOnlyList<string> texts)
    {
        _count = texts.Count;
        Pointers = (byte**)NativeMemory.AllocZeroed((nuint)(_count + 1), (nuint)sizeof(byte*));
        for (int i = 0; i < _count; i++)
        {
            Pointers[i] = (byte*)Marshal.StringToCoTaskMemUTF8(texts[i]);
        }
    }

    /// <summary>The array.</summary>
    public byte** Pointers { get; private set; }

    /// <inheritdoc/>
    public void Dispose()
    {
        for (int i = 0; i < _count && Pointers is not null; i++)
        {
            Marshal.FreeCoTaskMem((nint)Pointers[i]);
        }

        NativeMemory.Free(Pointers);
        Pointers = null;
    }
}
