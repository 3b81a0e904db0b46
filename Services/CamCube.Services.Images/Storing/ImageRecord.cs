using CamCube.Calls;
using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Wire;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Images.Storing;

/// <summary>
/// What the key-value store keeps beside an original, 40 bytes: <c>I</c>, 2, kind (1 an image, 2 a deletion), format,
/// width and height in the file (4 bytes each, little-endian), orientation, three zeros, the request that stored it,
/// two zeros. What is not of this form is no image's.
/// </summary>
/// <param name="Header">The picture.</param>
/// <param name="Request">Who stored it.</param>
internal readonly record struct ImageRecord(PictureHeader Header, RequestId Request)
{
    public const int Length = 40;

    private const byte Mark = (byte)'I';
    private const byte Format = 2;
    private const byte Image = 1;
    private const byte Deletion = 2;
    private const int RequestAt = 16;

    /// <summary>What is kept of an image; null: it is none.</summary>
    public static ImageRecord? Read(ReadOnlySpan<byte> bytes) =>
        bytes.Length == Length
        && bytes is [Mark, Format, Image, _, ..]
        && MediaTypes.Of((PictureFormat)bytes[3]) is not null
            ? new ImageRecord(
                new PictureHeader(
                    (PictureFormat)bytes[3],
                    ReadInt32LittleEndian(bytes[4..]),
                    ReadInt32LittleEndian(bytes[8..]),
                    bytes[12]
                ),
                RequestIdFormat.Read(bytes[RequestAt..])
            )
            : null;

    /// <summary>Whether a deletion is kept, and by which request.</summary>
    public static bool IsDeletionBy(ReadOnlySpan<byte> bytes, in RequestId request) =>
        bytes.Length == Length
        && bytes is [Mark, Format, Deletion, ..]
        && RequestIdFormat.Read(bytes[RequestAt..]) == request;

    /// <summary>What is kept of a deletion.</summary>
    public static byte[] DeletionBy(in RequestId request)
    {
        byte[] bytes = new byte[Length];
        (bytes[0], bytes[1], bytes[2]) = (Mark, Format, Deletion);
        RequestIdFormat.Write(bytes.AsSpan(RequestAt), request);
        return bytes;
    }

    public byte[] ToBytes()
    {
        byte[] bytes = new byte[Length];
        (bytes[0], bytes[1], bytes[2], bytes[3]) = (Mark, Format, Image, (byte)Header.Format);
        WriteInt32LittleEndian(bytes.AsSpan(4), Header.Width);
        WriteInt32LittleEndian(bytes.AsSpan(8), Header.Height);
        bytes[12] = (byte)Header.Orientation;
        RequestIdFormat.Write(bytes.AsSpan(RequestAt), Request);
        return bytes;
    }

    /// <summary>The answer that says so.</summary>
    public ImageAnswer ToAnswer(ulong version, long length) =>
        new(ImageStatus.Done, version)
        {
            MediaType = MediaTypes.Of(Header.Format),
            Width = Header.UprightWidth,
            Height = Header.UprightHeight,
            Length = length,
        };
}
