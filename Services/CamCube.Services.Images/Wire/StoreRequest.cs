using System.Text;
using CamCube.Calls;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Images.Wire;

/// <summary>What is to be stored, but for the picture: name of the request, the version of the key-value store that is
/// to be replaced, length of the name (a byte) and the name.</summary>
/// <param name="Id">Names the request, in all its attempts.</param>
/// <param name="Expected">The version in whose place it comes, of an image or of a deletion; 0: of nothing.</param>
/// <param name="Name">The name.</param>
internal sealed record StoreRequest(RequestId Id, ulong Expected, string Name)
{
    /// <summary>Most bytes in front of a picture.</summary>
    public const int MostHead = Fixed + ImageName.MostBytes;

    private const int Fixed = RequestIdFormat.Length + 8 + 1;

    /// <summary>Reads one.</summary>
    /// <param name="bytes">The message.</param>
    /// <param name="head">Bytes in front of the picture.</param>
    /// <returns>Null: it is none.</returns>
    public static StoreRequest? TryRead(ReadOnlySpan<byte> bytes, out int head)
    {
        head = bytes.Length < Fixed ? 0 : Fixed + bytes[Fixed - 1];
        if (head == 0 || head > bytes.Length || TextOf(bytes[Fixed..head]) is not { } name)
        {
            return null;
        }

        ReadOnlySpan<byte> rest = bytes[RequestIdFormat.Length..];
        return new StoreRequest(RequestIdFormat.Read(bytes), ReadUInt64LittleEndian(rest), name);
    }

    /// <summary>A name as it was sent; null: it is none.</summary>
    public static string? TextOf(ReadOnlySpan<byte> bytes)
    {
        string name = Encoding.UTF8.GetString(bytes);
        return System.Text.Unicode.Utf8.IsValid(bytes) && ImageName.WrongOf(name) is null ? name : null;
    }

    public byte[] ToBytes()
    {
        byte[] name = Encoding.UTF8.GetBytes(Name);
        byte[] bytes = new byte[Fixed + name.Length];
        RequestIdFormat.Write(bytes, Id);
        Span<byte> rest = bytes.AsSpan(RequestIdFormat.Length);
        WriteUInt64LittleEndian(rest, Expected);
        rest[8] = (byte)name.Length;
        name.CopyTo(bytes.AsSpan(Fixed));
        return bytes;
    }
}
