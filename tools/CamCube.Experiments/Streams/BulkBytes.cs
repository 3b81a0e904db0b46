namespace CamCube.Experiments.Streams;

/// <summary>What streams and messages carry: bytes that are a function of a label and of their place, so that a reader
/// sees each one that is missing, doubled or of another stream.</summary>
internal static class BulkBytes
{
    // A prime: no piece of a power of two is like another.
    private const int Period = 65_521;
    private static readonly byte[] All = MakeAll();

    /// <summary>The bytes from a place on, so many of them as lie in one piece.</summary>
    public static ReadOnlySpan<byte> From(ulong label, long offset)
    {
        int at = (int)(((ulong)offset + (label * 7_919)) % Period);
        return All.AsSpan(at, Period);
    }

    /// <summary>Writes them, from the first on.</summary>
    public static void Fill(ulong label, Span<byte> bytes)
    {
        for (int at = 0; at < bytes.Length; at += Period)
        {
            From(label, at)[..Math.Min(Period, bytes.Length - at)].CopyTo(bytes[at..]);
        }
    }

    /// <summary>Whether bytes are those from a place on.</summary>
    public static bool Are(ulong label, long offset, ReadOnlySpan<byte> bytes)
    {
        bool are = true;
        for (int at = 0; at < bytes.Length; at += Period)
        {
            int length = Math.Min(Period, bytes.Length - at);
            are &= bytes.Slice(at, length).SequenceEqual(From(label, offset + at)[..length]);
        }

        return are;
    }

    private static byte[] MakeAll()
    {
        var random = new DrawStream(1, "bulk bytes");
        byte[] all = new byte[2 * Period];
        for (int i = 0; i < Period; i++)
        {
            all[i] = all[i + Period] = (byte)random.Next(256);
        }

        return all;
    }
}
