using System.Buffers.Binary;
using System.Text;
using CamCube.Services.Images.Pictures.Formats;

namespace CamCube.Services.Images.Pictures.Wire;

/// <summary>
/// The frames between the store and its picture workers, little-endian. Request: <c>CCW1</c>, u32 id, u8 format, u8
/// variants, u16 0, u32 width, u32 height (as parsed), u32 length; per variant u16 width, u16 height, u8 fit, u8
/// quality, u16 0; the picture. Answer: <c>CCW1</c>, u32 id, u8 status, u8 variants, u16 length of the text; per
/// variant u8 format, u8 0, u16 width, u16 height, u32 length; the text; the variants. A worker's first frame is an
/// answer with the id <see cref="HelloId"/>, whose text says what it is.
/// </summary>
public static class PictureFrames
{
    /// <summary>The id of a worker's first frame.</summary>
    public const uint HelloId = uint.MaxValue;

    /// <summary>Bytes of a request without its variants.</summary>
    public const int RequestHead = 24;

    /// <summary>Bytes of a variant that is asked for.</summary>
    public const int SpecLength = 8;

    /// <summary>Bytes of an answer without its variants.</summary>
    public const int AnswerHead = 12;

    /// <summary>Bytes of a variant's head in an answer.</summary>
    public const int VariantHead = 10;

    /// <summary>Variants of one request.</summary>
    public const int MaxVariants = 8;

    /// <summary>What each frame begins with.</summary>
    public static ReadOnlySpan<byte> Magic => "CCW1"u8;

    /// <summary>The head of a request, up to the picture.</summary>
    public static byte[] Request(uint id, PictureHeader header, int length, ReadOnlySpan<VariantSpec> variants)
    {
        byte[] head = new byte[RequestHead + (variants.Length * SpecLength)];
        Magic.CopyTo(head);
        BinaryPrimitives.WriteUInt32LittleEndian(head.AsSpan(4), id);
        head[8] = (byte)header.Format;
        head[9] = (byte)variants.Length;
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(12), header.Width);
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(16), header.Height);
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(20), length);
        for (int i = 0; i < variants.Length; i++)
        {
            Span<byte> spec = head.AsSpan(RequestHead + (i * SpecLength));
            BinaryPrimitives.WriteUInt16LittleEndian(spec, variants[i].Width);
            BinaryPrimitives.WriteUInt16LittleEndian(spec[2..], variants[i].Height);
            spec[4] = (byte)variants[i].Fit;
            spec[5] = variants[i].Quality;
        }

        return head;
    }

    /// <summary>Reads a request's first <see cref="RequestHead"/> bytes.</summary>
    /// <returns>False: they are none.</returns>
    public static bool TryReadRequest(
        ReadOnlySpan<byte> head,
        out uint id,
        out PictureHeader header,
        out int variants,
        out int length
    )
    {
        (id, header, variants, length) = (0, default, 0, 0);
        if (head.Length < RequestHead || !head.StartsWith(Magic))
        {
            return false;
        }

        id = BinaryPrimitives.ReadUInt32LittleEndian(head[4..]);
        variants = head[9];
        int width = BinaryPrimitives.ReadInt32LittleEndian(head[12..]);
        int height = BinaryPrimitives.ReadInt32LittleEndian(head[16..]);
        length = BinaryPrimitives.ReadInt32LittleEndian(head[20..]);
        header = new PictureHeader((PictureFormat)head[8], width, height, 1);
        return header.MediaType.Length > 0
            && id != HelloId
            && variants is >= 1 and <= MaxVariants
            && width > 0
            && height > 0
            && length > 0
            && BinaryPrimitives.ReadUInt16LittleEndian(head[10..]) == 0;
    }

    /// <summary>Reads one variant that is asked for.</summary>
    /// <param name="spec">Its <see cref="SpecLength"/> bytes.</param>
    public static VariantSpec ReadSpec(ReadOnlySpan<byte> spec) =>
        new(
            BinaryPrimitives.ReadUInt16LittleEndian(spec),
            BinaryPrimitives.ReadUInt16LittleEndian(spec[2..]),
            (VariantFit)spec[4],
            spec[5]
        );

    /// <summary>A whole answer, or a worker's first frame.</summary>
    public static byte[] Answer(uint id, PictureStatus status, ReadOnlySpan<Variant> variants, string text)
    {
        byte[] words = Encoding.UTF8.GetBytes(text);
        int wordLength = Math.Min(words.Length, ushort.MaxValue);
        int length = AnswerHead + (variants.Length * VariantHead) + wordLength;
        foreach (Variant variant in variants)
        {
            length += variant.Bytes.Length;
        }

        byte[] answer = new byte[length];
        Magic.CopyTo(answer);
        BinaryPrimitives.WriteUInt32LittleEndian(answer.AsSpan(4), id);
        answer[8] = (byte)status;
        answer[9] = (byte)variants.Length;
        BinaryPrimitives.WriteUInt16LittleEndian(answer.AsSpan(10), (ushort)wordLength);
        int head = AnswerHead;
        int at = AnswerHead + (variants.Length * VariantHead);
        words.AsSpan(0, wordLength).CopyTo(answer.AsSpan(at));
        at += wordLength;
        foreach (Variant variant in variants)
        {
            answer[head] = (byte)variant.Format;
            BinaryPrimitives.WriteUInt16LittleEndian(answer.AsSpan(head + 2), (ushort)variant.Width);
            BinaryPrimitives.WriteUInt16LittleEndian(answer.AsSpan(head + 4), (ushort)variant.Height);
            BinaryPrimitives.WriteInt32LittleEndian(answer.AsSpan(head + 6), variant.Bytes.Length);
            head += VariantHead;
            variant.Bytes.Span.CopyTo(answer.AsSpan(at));
            at += variant.Bytes.Length;
        }

        return answer;
    }

    /// <summary>How long an answer is, as far as its bytes say: see <see cref="PictureProtocol"/>.</summary>
    /// <param name="received">All that came so far.</param>
    /// <returns>−1: it is none.</returns>
    public static int Measure(ReadOnlySpan<byte> received)
    {
        if (!received[..Math.Min(received.Length, Magic.Length)].SequenceEqual(Magic[..Math.Min(received.Length, 4)]))
        {
            return -1;
        }

        if (received.Length < AnswerHead)
        {
            return AnswerHead;
        }

        int variants = received[9];
        if (received[8] > (byte)PictureStatus.ParserDiffers || variants > MaxVariants)
        {
            return -1;
        }

        int heads = AnswerHead + (variants * VariantHead);
        if (received.Length < heads)
        {
            return heads;
        }

        long length = heads + (long)BinaryPrimitives.ReadUInt16LittleEndian(received[10..]);
        for (int i = 0; i < variants; i++)
        {
            ReadOnlySpan<byte> head = received[(AnswerHead + (i * VariantHead))..];
            length += BinaryPrimitives.ReadUInt32LittleEndian(head[6..]);
            if (head[0] is not ((byte)PictureFormat.Jpeg or (byte)PictureFormat.WebP) || head[1] != 0)
            {
                return -1;
            }
        }

        return length > int.MaxValue ? -1 : (int)length;
    }

    /// <summary>Reads a whole answer.</summary>
    /// <param name="answer">As many bytes as <see cref="Measure"/> says; the variants are parts of them.</param>
    /// <param name="id">The request's.</param>
    /// <param name="variants">How many were asked for.</param>
    /// <returns>Null: it answers something else.</returns>
    public static PictureResult? Read(ReadOnlyMemory<byte> answer, uint id, int variants)
    {
        ReadOnlySpan<byte> bytes = answer.Span;
        PictureStatus status = (PictureStatus)bytes[8];
        int count = status == PictureStatus.Done ? variants : 0;
        if (BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]) != id || bytes[9] != count)
        {
            return null;
        }

        Variant[] made = new Variant[count];
        int at = AnswerHead + (count * VariantHead) + BinaryPrimitives.ReadUInt16LittleEndian(bytes[10..]);
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> head = bytes[(AnswerHead + (i * VariantHead))..];
            int length = BinaryPrimitives.ReadInt32LittleEndian(head[6..]);
            made[i] = new Variant(
                (PictureFormat)head[0],
                BinaryPrimitives.ReadUInt16LittleEndian(head[2..]),
                BinaryPrimitives.ReadUInt16LittleEndian(head[4..]),
                answer.Slice(at, length)
            );
            at += length;
        }

        return new PictureResult(status, made, TextOf(bytes));
    }

    /// <summary>The text of a whole answer; empty of none.</summary>
    public static string TextOf(ReadOnlySpan<byte> answer)
    {
        if (answer.Length < AnswerHead)
        {
            return "";
        }

        int heads = AnswerHead + (answer[9] * VariantHead);
        return Encoding.UTF8.GetString(answer.Slice(heads, BinaryPrimitives.ReadUInt16LittleEndian(answer[10..])));
    }
}
