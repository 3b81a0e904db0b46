using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Answers as bytes; a value lies at the end.</summary>
internal static class AnswerFormat
{
    private const byte PiecesFlag = 0x80;

    /// <summary>Writes all but metadata and value.</summary>
    public static void Write(WireWriter writer, in KeyValueAnswer answer, int metadata, bool isInPieces)
    {
        writer.Byte((byte)((byte)answer.Status | (isInPieces ? PiecesFlag : 0)));
        writer.Byte((byte)answer.Copies);
        writer.UShort((ushort)metadata);
        writer.ULong(answer.Version);
        writer.ULong((ulong)answer.Length);
        writer.UInt(Lifetime.Of(answer.Expires));
    }

    /// <summary>False: it is none.</summary>
    public static bool TryRead(
        ReadOnlySpan<byte> content,
        out KeyValueAnswer answer,
        out bool isInPieces,
        out ReadOnlySpan<byte> metadata,
        out ReadOnlySpan<byte> value
    )
    {
        var reader = new WireReader(content);
        byte first = reader.Byte();
        var status = (KeyValueStatus)(first & ~PiecesFlag);
        isInPieces = (first & PiecesFlag) != 0;
        int copies = reader.Byte(),
            length = reader.UShort();
        answer = new KeyValueAnswer(status, reader.ULong(), (long)reader.ULong(), copies);
        answer = answer with { Expires = Lifetime.TimeOf(reader.UInt()) };
        metadata = reader.Take(length);
        value = reader.Rest();
        return !reader.IsBroken && status <= KeyValueStatus.Overflow && answer.Length >= 0;
    }
}
