using System.Buffers.Binary;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>What tells the connections between two servers apart. In a greeting: paths 1, zero 1, channel 2, weight
/// 2.</summary>
/// <param name="Paths">Where packets leave, as this side names the links.</param>
/// <param name="Channel">The service's.</param>
internal readonly record struct ConnectionTerms(StreamPaths Paths, ushort Channel)
{
    /// <summary>Bytes in a greeting.</summary>
    public const int Length = 6;

    public void Write(Span<byte> body, int weight)
    {
        (body[0], body[1]) = (Paths.Code, 0);
        BinaryPrimitives.WriteUInt16LittleEndian(body[2..], Channel);
        BinaryPrimitives.WriteUInt16LittleEndian(body[4..], (ushort)weight);
    }

    /// <summary>Reads what the opener said, as this side names the links. False: that cannot be.</summary>
    public static bool TryRead(ReadOnlySpan<byte> body, out ConnectionTerms terms, out int weight)
    {
        (terms, weight) = (default, 1);
        if (body.Length != Length || body[1] != 0 || !StreamPaths.TryFromCode(body[0], out StreamPaths paths))
        {
            return false;
        }

        terms = new ConnectionTerms(paths.Mirrored(), BinaryPrimitives.ReadUInt16LittleEndian(body[2..]));
        weight = BinaryPrimitives.ReadUInt16LittleEndian(body[4..]);
        return weight is >= 1 and <= StreamParameters.MostWeight;
    }
}
