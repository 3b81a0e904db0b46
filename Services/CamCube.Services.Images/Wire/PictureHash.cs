using System.Security.Cryptography;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Images.Wire;

/// <summary>SHA-256 of a picture: whether two are the same.</summary>
internal readonly record struct PictureHash(UInt128 High, UInt128 Low)
{
    public const int Length = 32;

    public static PictureHash Of(ReadOnlySpan<byte> picture)
    {
        Span<byte> hash = stackalloc byte[Length];
        SHA256.HashData(picture, hash);
        return Read(hash);
    }

    public static PictureHash Read(ReadOnlySpan<byte> bytes) =>
        new(ReadUInt128BigEndian(bytes), ReadUInt128BigEndian(bytes[16..]));

    public void CopyTo(Span<byte> bytes)
    {
        WriteUInt128BigEndian(bytes, High);
        WriteUInt128BigEndian(bytes[16..], Low);
    }
}
