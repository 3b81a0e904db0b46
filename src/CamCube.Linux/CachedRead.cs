using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Linux;

/// <summary>Reads bytes of a file that the system has in memory, and nothing that it would have to wait for. Any
/// thread.</summary>
public static unsafe partial class CachedRead
{
    // RWF_NOWAIT, Linux 4.14.
    private const int NoWait = 8;
    private static volatile bool _isMissing = !OperatingSystem.IsLinux() || !Environment.Is64BitProcess;

    /// <summary>Reads from an offset on, if all of it is in memory.</summary>
    /// <param name="file">An open file.</param>
    /// <param name="offset">From 0.</param>
    /// <param name="buffer">Where to; how much.</param>
    /// <returns>False: some of it is not there, or behind the end of the file, or the system or the file system cannot
    /// say so; the buffer holds anything then. An error is told to who reads in the usual way.</returns>
    public static bool TryRead(SafeFileHandle file, long offset, Span<byte> buffer)
    {
        if (_isMissing)
        {
            return false;
        }

        try
        {
            fixed (byte* bytes = buffer)
            {
                var into = new IoVector { Bytes = bytes, Length = buffer.Length };
                return Read(file, &into, 1, offset, NoWait) == buffer.Length;
            }
        }
        catch (EntryPointNotFoundException)
        {
            // A C library older than the call.
            _isMissing = true;
            return false;
        }
    }

    [LibraryImport("libc", EntryPoint = "preadv2")]
    private static partial nint Read(SafeFileHandle file, IoVector* into, int count, long offset, int flags);
}
