using System.Text;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Files.Records;

/// <summary>
/// What the key-value store keeps beside a name, little-endian: <c>F</c>, 1, kind (1 a file, 2 a directory), a zero,
/// the number of chunks (4 bytes), when it was made in milliseconds since 1970 (8), length (8), the file's id (16),
/// SHA-256 (32), the media type. What is not of this form is no file's.
/// </summary>
internal sealed record EntryRecord
{
    /// <summary>Most bytes of a media type.</summary>
    public const int MostMediaType = 128;

    private const byte Mark = (byte)'F';
    private const byte Format = 1;
    private const byte File = 1;
    private const byte Directory = 2;
    private const int ChunksAt = 4;
    private const int CreatedAt = 8;
    private const int LengthAt = 16;
    private const int IdAt = 24;
    private const int ShaAt = 40;
    private const int ShaLength = 32;
    private const int TypeAt = ShaAt + ShaLength;

    // Some thousand years before and after 1970.
    private const long MostMillis = 100_000_000_000_000;

    /// <summary>Whether it is a directory.</summary>
    public bool IsDirectory { get; init; }

    /// <summary>Chunks of a file.</summary>
    public int Chunks { get; init; }

    /// <summary>When it was made.</summary>
    public long CreatedMillis { get; init; }

    /// <summary>Bytes of a file.</summary>
    public long Length { get; init; }

    /// <summary>Which attempt at writing it was: in the names of its chunks.</summary>
    public UInt128 Id { get; init; }

    /// <summary>Of the file's bytes.</summary>
    public ReadOnlyMemory<byte> Sha256 { get; init; } = new byte[ShaLength];

    /// <summary>What it is; empty: nobody said so.</summary>
    public string MediaType { get; init; } = "";

    /// <summary>Reads it; null: it is none.</summary>
    public static EntryRecord? Read(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length is < TypeAt or > TypeAt + MostMediaType || bytes is not [Mark, Format, File or Directory, ..])
        {
            return null;
        }

        string type = Encoding.UTF8.GetString(bytes[TypeAt..]);
        var record = new EntryRecord
        {
            IsDirectory = bytes[2] == Directory,
            Chunks = ReadInt32LittleEndian(bytes[ChunksAt..]),
            CreatedMillis = ReadInt64LittleEndian(bytes[CreatedAt..]),
            Length = ReadInt64LittleEndian(bytes[LengthAt..]),
            Id = ReadUInt128LittleEndian(bytes[IdAt..]),
            Sha256 = bytes.Slice(ShaAt, ShaLength).ToArray(),
            MediaType = WrongOfType(type) is null ? type : "",
        };
        return record.Chunks < 0 || record.Length < 0 || record.CreatedMillis is < -MostMillis or > MostMillis
            ? null
            : record;
    }

    /// <summary>What is wrong with a media type, in words for people; null: nothing.</summary>
    public static string? WrongOfType(string type) =>
        type.Length > MostMediaType ? $"a media type has {MostMediaType} bytes at most."
        : type.Any(static one => one is < ' ' or > '~') ? "a media type is printable ASCII."
        : null;

    /// <summary>Writes it.</summary>
    public byte[] ToBytes()
    {
        byte[] bytes = new byte[TypeAt + Encoding.UTF8.GetByteCount(MediaType)];
        (bytes[0], bytes[1], bytes[2]) = (Mark, Format, IsDirectory ? Directory : File);
        WriteInt32LittleEndian(bytes.AsSpan(ChunksAt), Chunks);
        WriteInt64LittleEndian(bytes.AsSpan(CreatedAt), CreatedMillis);
        WriteInt64LittleEndian(bytes.AsSpan(LengthAt), Length);
        WriteUInt128LittleEndian(bytes.AsSpan(IdAt), Id);
        Sha256.Span.CopyTo(bytes.AsSpan(ShaAt));
        Encoding.UTF8.GetBytes(MediaType, bytes.AsSpan(TypeAt));
        return bytes;
    }

    /// <summary>What others see of it.</summary>
    public FileEntry ToEntry(string path, ulong version) =>
        new(path, IsDirectory)
        {
            Length = Length,
            Created = DateTimeOffset.FromUnixTimeMilliseconds(CreatedMillis),
            Version = version,
            MediaType = MediaType,
            Sha256 = IsDirectory ? default : Sha256,
            Chunks = Chunks,
        };
}
