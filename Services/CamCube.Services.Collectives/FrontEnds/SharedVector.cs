using Microsoft.Win32.SafeHandles;

namespace CamCube.Services.Collectives.FrontEnds;

/// <summary>
/// A vector in a file of another process. It is copied to memory of the host's own and back, and never mapped: a file
/// that is cut while it is used is then a short read, and not a signal that ends the host; and what its owner writes
/// meanwhile does not become the result of others. A copy costs a tenth of what a link of 1 Gbit/s takes for the same.
/// </summary>
internal static class SharedVector
{
    /// <summary>Copies it here. Returns what is wrong, in words; null: nothing.</summary>
    public static string? Read(SafeFileHandle file, long offset, Span<byte> to)
    {
        try
        {
            long length = RandomAccess.GetLength(file);
            if (length < offset || length - offset < to.Length)
            {
                return $"the file has {length:N0} bytes, and not {to.Length:N0} from {offset:N0} on";
            }

            for (int at = 0; at < to.Length; )
            {
                int count = RandomAccess.Read(file, to[at..], offset + at);
                if (count == 0)
                {
                    return "the file was cut while it was read";
                }

                at += count;
            }

            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            return "what was passed is no file that can be read";
        }
    }

    /// <summary>Copies it back. Returns as above.</summary>
    public static string? Write(SafeFileHandle file, long offset, ReadOnlySpan<byte> from)
    {
        try
        {
            RandomAccess.Write(file, from, offset);
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            return "the result could not be written to the file";
        }
    }
}
