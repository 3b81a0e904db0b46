using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>A pipe between this process and a child. What is not taken is closed.</summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class PipePair : IDisposable
{
    private DescriptorHandle? _reader;
    private DescriptorHandle? _writer;

    private PipePair(int reader, int writer) =>
        (_reader, _writer) = (new DescriptorHandle(reader), new DescriptorHandle(writer));

    /// <summary>The number of the end that is read.</summary>
    public int Reader => (int)_reader!.DangerousGetHandle();

    /// <summary>The number of the end that is written.</summary>
    public int Writer => (int)_writer!.DangerousGetHandle();

    /// <summary>Opens a pipe that no child inherits.</summary>
    /// <exception cref="IOException">No descriptors are left.</exception>
    public static PipePair Open()
    {
        int* ends = stackalloc int[2];
        return ChildCalls.Pipe(ends, ChildCalls.CloseOnExec) == 0
            ? new PipePair(ends[0], ends[1])
            : throw SystemError.Failure("pipe2", Marshal.GetLastPInvokeError());
    }

    /// <summary>Takes the end that is read, non-blocking.</summary>
    /// <param name="size">How much the pipe should hold; 0: as it is. The system may refuse, which costs speed
    /// only.</param>
    public DescriptorHandle TakeReader(int size) => Take(ref _reader, size);

    /// <summary>Takes the end that is written, non-blocking.</summary>
    /// <param name="size">As above.</param>
    public DescriptorHandle TakeWriter(int size) => Take(ref _writer, size);

    /// <inheritdoc/>
    public void Dispose()
    {
        _reader?.Dispose();
        _writer?.Dispose();
    }

    private static DescriptorHandle Take(ref DescriptorHandle? end, int size)
    {
        DescriptorHandle taken = end!;
        end = null;
        _ = ChildCalls.Control(taken, ChildCalls.SetFlags, ChildCalls.NonBlocking);
        if (size > 0)
        {
            _ = ChildCalls.Control(taken, ChildCalls.SetPipeSize, size);
        }

        return taken;
    }
}
