using System.Buffers;

namespace CamCube.Services.Cache.Store;

/// <summary>Writes values where a caller wants them.</summary>
internal static class ValueWriter
{
    /// <summary>
    /// False: the caller's writer threw, as that of a closed connection may. That is the caller's affair: an exception
    /// here would stop the cache of this server and lose everybody's items.
    /// </summary>
    public static bool TryWrite(IBufferWriter<byte>? into, ReadOnlySpan<byte> value)
    {
        if (into is null || value.IsEmpty)
        {
            return true;
        }

        try
        {
            into.Write(value);
            return true;
        }
        catch (Exception)
        {
            return false;
        }
    }

    /// <summary>The same, from the store.</summary>
    public static bool TryWrite(IBufferWriter<byte>? into, ItemValue value)
    {
        if (into is null || value.Length == 0)
        {
            return true;
        }

        try
        {
            value.CopyTo(into.GetSpan(value.Length));
            into.Advance(value.Length);
            return true;
        }
        catch (Exception)
        {
            return false;
        }
    }
}
