using System.Buffers.Text;
using System.Globalization;
using System.Text;
using CamCube.Services.KeyValue;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Files.Records;

/// <summary>
/// The chunks of a file: the value under its name, 8 bytes for each chunk, its length and the number in its tag. The
/// key of chunk 3 of a file is <c>chunk{17}0123...cdef/3</c>: the file's id in hexadecimal digits, and as tag the first
/// number with which the chunk's home is the server that was wanted.
/// </summary>
/// <param name="Id">The file's id.</param>
/// <param name="Table">The table.</param>
internal sealed record ChunkList(UInt128 Id, int Table)
{
    /// <summary>What the keys of all chunks begin with.</summary>
    public const string Prefix = ServiceKeys.Chunk;

    /// <summary>Most chunks of a file: as many as have a place in a value that a batch puts.</summary>
    public const int MostChunks = KeyValueChange.MostBytes / EntryLength;

    private const int EntryLength = 8;
    private readonly List<(int Length, int Tag)> _chunks = [];

    /// <summary>How many there are.</summary>
    public int Count => _chunks.Count;

    /// <summary>Bytes of all.</summary>
    public long Length { get; private set; }

    /// <summary>Bytes of one.</summary>
    public int LengthOf(int index) => _chunks[index].Length;

    /// <summary>The key of one.</summary>
    public KeyValueKey KeyOf(int index) => Key(index, _chunks[index].Tag);

    /// <summary>Adds the next one.</summary>
    public void Add(int length, int tag)
    {
        _chunks.Add((length, tag));
        Length += length;
    }

    /// <summary>The first tag with which the next chunk has its home at a server.</summary>
    public int TagFor(Coordinate server, TorusShape shape)
    {
        // One in as many as there are servers fits; none in a thousand times as many does not happen.
        int last = 1_000 * shape.Count;
        for (int tag = 0; tag < last; tag++)
        {
            if (Key(Count, tag).ToKey().HomeIn(shape) == server)
            {
                return tag;
            }
        }

        return 0;
    }

    /// <summary>The key of a chunk.</summary>
    public KeyValueKey Key(int index, int tag) =>
        KeyValueKey.Of(string.Create(CultureInfo.InvariantCulture, $"{Prefix}{tag}}}{Id:x32}/{index}"), Table);

    /// <summary>The value.</summary>
    public byte[] ToBytes()
    {
        byte[] bytes = new byte[Count * EntryLength];
        for (int i = 0; i < Count; i++)
        {
            WriteInt32LittleEndian(bytes.AsSpan(i * EntryLength), _chunks[i].Length);
            WriteInt32LittleEndian(bytes.AsSpan((i * EntryLength) + 4), _chunks[i].Tag);
        }

        return bytes;
    }

    /// <summary>Reads a value; null: it is none of this record.</summary>
    public static ChunkList? Read(EntryRecord record, ReadOnlySpan<byte> bytes, int table)
    {
        if (bytes.Length != (long)record.Chunks * EntryLength)
        {
            return null;
        }

        var list = new ChunkList(record.Id, table);
        for (int i = 0; i < record.Chunks; i++)
        {
            int length = ReadInt32LittleEndian(bytes[(i * EntryLength)..]);
            if (length <= 0)
            {
                return null;
            }

            list.Add(length, ReadInt32LittleEndian(bytes[((i * EntryLength) + 4)..]));
        }

        return list.Length == record.Length ? list : null;
    }

    /// <summary>Which file and chunk a key is of.</summary>
    /// <returns>False: it is the key of no chunk.</returns>
    public static bool TryReadKey(ReadOnlySpan<byte> key, out UInt128 id, out int index)
    {
        (id, index) = (default, 0);
        if (!key.StartsWith(Encoding.UTF8.GetBytes(Prefix)))
        {
            return false;
        }

        int end = key.IndexOf((byte)'}');
        ReadOnlySpan<byte> rest = end < 0 ? [] : key[(end + 1)..];
        return rest.Length > 33
            && rest[32] == (byte)'/'
            && UInt128.TryParse(rest[..32], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out id)
            && Utf8Parser.TryParse(rest[33..], out index, out int used)
            && used == rest.Length - 33;
    }
}
