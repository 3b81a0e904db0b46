using CamCube.Services.KeyValue.Coding;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Answers as bytes; a value lies at the end.</summary>
internal static class AnswerFormat
{
    /// <summary>Writes all but metadata and value.</summary>
    public static void Write(WireWriter writer, in KeyValueAnswer answer, int metadata)
    {
        writer.Byte((byte)answer.Status);
        writer.Byte((byte)answer.Copies);
        writer.UShort((ushort)metadata);
        writer.ULong(answer.Version);
        writer.ULong((ulong)answer.Length);
    }

    /// <summary>False: it is none.</summary>
    public static bool TryRead(
        ReadOnlySpan<byte> content,
        out KeyValueAnswer answer,
        out ReadOnlySpan<byte> metadata,
        out ReadOnlySpan<byte> value
    )
    {
        var reader = new WireReader(content);
        var status = (KeyValueStatus)reader.Byte();
        int copies = reader.Byte(),
            length = reader.UShort();
        answer = new KeyValueAnswer(status, reader.ULong(), (long)reader.ULong(), copies);
        metadata = reader.Take(length);
        value = reader.Rest();
        return !reader.IsBroken && status <= KeyValueStatus.BadCursor && answer.Length >= 0;
    }
}
