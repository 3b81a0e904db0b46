using System.Security.Cryptography;
using System.Text;
using CamCube.Trees;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Distribution.Wire;

/// <summary>
/// A manifest as bytes, little-endian: format 1, flags 1 (1: replaces), source 3 × 2, piece bytes 4, length 8, job 8,
/// SHA-256 32, block bytes 4, weight 2, limit 8, kind of trees 1, bytes of the name 1, bytes of the members 2, bytes of
/// the zeros 4, trees of parity 1, name, members, zeros (a bit for each piece that is nothing else), CRC32C of each
/// block 4, CRC32C of all before 4.
/// </summary>
internal static class ManifestFormat
{
    private const byte Format = 3;
    private const int AtSource = 2;
    private const int AtPieceBytes = AtSource + (3 * sizeof(ushort));
    private const int AtLength = AtPieceBytes + sizeof(int);
    private const int AtJob = AtLength + sizeof(long);
    private const int AtHash = AtJob + sizeof(ulong);
    private const int AtBlockBytes = AtHash + Manifest.HashLength;
    private const int AtWeight = AtBlockBytes + sizeof(int);
    private const int AtLimit = AtWeight + sizeof(ushort);
    private const int AtKind = AtLimit + sizeof(long);
    private const int AtNameLength = AtKind + 1;
    private const int AtMembersLength = AtNameLength + 1;
    private const int AtZerosLength = AtMembersLength + sizeof(ushort);
    private const int AtCode = AtZerosLength + sizeof(int);
    private const int HeadLength = AtCode + 1;

    /// <summary>Bytes of the longest manifest.</summary>
    public static int MostBytes(TorusShape shape, int mostBlocks) =>
        HeadLength
        + byte.MaxValue
        + Manifest.LengthOfBits(shape)
        + ((mostBlocks + 7) / 8)
        + ((mostBlocks + 1) * sizeof(uint));

    /// <summary>Writes it.</summary>
    public static byte[] Write(Manifest manifest)
    {
        int nameLength = Encoding.ASCII.GetByteCount(manifest.Name);
        int atZeros = HeadLength + nameLength + manifest.Members.Length,
            atSums = atZeros + manifest.Zeros.Length;
        byte[] bytes = new byte[atSums + ((manifest.Sums.Length + 1) * sizeof(uint))];
        (bytes[0], bytes[1]) = (Format, (byte)(manifest.Replaces ? 1 : 0));
        WriteUInt16LittleEndian(bytes.AsSpan(AtSource), manifest.Source.X);
        WriteUInt16LittleEndian(bytes.AsSpan(AtSource + 2), manifest.Source.Y);
        WriteUInt16LittleEndian(bytes.AsSpan(AtSource + 4), manifest.Source.Z);
        WriteInt32LittleEndian(bytes.AsSpan(AtPieceBytes), manifest.PieceBytes);
        WriteInt64LittleEndian(bytes.AsSpan(AtLength), manifest.Length);
        WriteUInt64LittleEndian(bytes.AsSpan(AtJob), manifest.JobNumber);
        manifest.Hash.CopyTo(bytes, AtHash);
        WriteInt32LittleEndian(bytes.AsSpan(AtBlockBytes), manifest.BlockBytes);
        WriteUInt16LittleEndian(bytes.AsSpan(AtWeight), (ushort)manifest.Weight);
        WriteInt64LittleEndian(bytes.AsSpan(AtLimit), manifest.Limit);
        (bytes[AtKind], bytes[AtNameLength]) = ((byte)manifest.Kind, (byte)nameLength);
        WriteInt32LittleEndian(bytes.AsSpan(AtZerosLength), manifest.Zeros.Length);
        WriteUInt16LittleEndian(bytes.AsSpan(AtMembersLength), (ushort)manifest.Members.Length);
        bytes[AtCode] = (byte)manifest.Code;
        Encoding.ASCII.GetBytes(manifest.Name, bytes.AsSpan(HeadLength));
        manifest.Members.CopyTo(bytes, HeadLength + nameLength);
        manifest.Zeros.CopyTo(bytes, atZeros);
        for (int i = 0; i < manifest.Sums.Length; i++)
        {
            WriteUInt32LittleEndian(bytes.AsSpan(atSums + (i * sizeof(uint))), manifest.Sums[i]);
        }

        Seal(bytes);
        return bytes;
    }

    /// <summary>Writes the sum of all before it.</summary>
    public static void Seal(Span<byte> bytes) =>
        WriteUInt32LittleEndian(bytes[^sizeof(uint)..], PieceSum.Of(bytes[..^sizeof(uint)]));

    /// <summary>SHA-256 of a manifest: what its source says of it.</summary>
    public static byte[] DigestOf(ReadOnlySpan<byte> bytes) => SHA256.HashData(bytes);

    /// <summary>Reads it. Null: it is none, or none that this cube can have. Nothing of it is believed before all of it
    /// was looked at.</summary>
    /// <param name="from">The bytes.</param>
    /// <param name="shape">The cube.</param>
    /// <param name="mostBlocks">Most blocks of a file.</param>
    public static Manifest? TryRead(ReadOnlySpan<byte> from, TorusShape shape, int mostBlocks)
    {
        if (
            from.Length < HeadLength + sizeof(uint)
            || from[0] != Format
            || from[1] > 1
            || PieceSum.Of(from[..^sizeof(uint)]) != ReadUInt32LittleEndian(from[^sizeof(uint)..])
        )
        {
            return null;
        }

        var source = new Coordinate(
            ReadUInt16LittleEndian(from[AtSource..]),
            ReadUInt16LittleEndian(from[(AtSource + 2)..]),
            ReadUInt16LittleEndian(from[(AtSource + 4)..])
        );
        int pieceBytes = ReadInt32LittleEndian(from[AtPieceBytes..]);
        long length = ReadInt64LittleEndian(from[AtLength..]);
        ulong job = ReadUInt64LittleEndian(from[AtJob..]);
        int nameLength = from[AtNameLength],
            membersLength = ReadUInt16LittleEndian(from[AtMembersLength..]),
            zerosLength = ReadInt32LittleEndian(from[AtZerosLength..]),
            blockBytes = ReadInt32LittleEndian(from[AtBlockBytes..]),
            weight = ReadUInt16LittleEndian(from[AtWeight..]);
        var kind = (TreeKind)from[AtKind];
        bool canBe =
            job != 0
            && shape.Contains(source)
            && pieceBytes is >= DistributionOptions.LeastPieceBytes and <= DistributionOptions.MostPieceBytes
            && length >= 0
            && blockBytes >= DistributionOptions.LeastPieceBytes
            && blockBytes <= pieceBytes
            && weight is >= 1 and <= Messaging.StreamParameters.MostWeight
            && ReadInt64LittleEndian(from[AtLimit..]) >= 0
            && kind <= TreeKind.MiniCube
            && from[AtCode] <= DistributionRequest.MostCodeOf(TreePlan.CountOf(shape, kind))
            && Manifest.BlocksOf(length, pieceBytes, blockBytes) <= mostBlocks
            && (zerosLength == 0 || zerosLength == (Manifest.PiecesOf(length, pieceBytes) + 7) / 8)
            && (membersLength == 0 || membersLength == Manifest.LengthOfBits(shape));
        if (!canBe)
        {
            return null;
        }

        var layout = new PieceLayout(length, pieceBytes, blockBytes, TreePlan.CountOf(shape, kind), from[AtCode]);
        if (layout.Blocks > mostBlocks)
        {
            return null;
        }

        int blocks = (int)layout.Blocks,
            atSums = HeadLength + nameLength + membersLength + zerosLength;
        if (from.Length != atSums + ((blocks + 1) * sizeof(uint)))
        {
            return null;
        }

        // What is no ASCII becomes a question mark, which no name has.
        string name = Encoding.ASCII.GetString(from.Slice(HeadLength, nameLength));
        ReadOnlySpan<byte> members = from.Slice(HeadLength + nameLength, membersLength);
        if (FileName.WrongOf(name) is not null || !AreOf(shape, members))
        {
            return null;
        }

        uint[] sums = new uint[blocks];
        for (int i = 0; i < blocks; i++)
        {
            sums[i] = ReadUInt32LittleEndian(from[(atSums + (i * sizeof(uint)))..]);
        }

        return new Manifest
        {
            JobNumber = job,
            Source = source,
            Name = name,
            Replaces = from[1] == 1,
            Length = length,
            PieceBytes = pieceBytes,
            BlockBytes = blockBytes,
            Kind = kind,
            Code = from[AtCode],
            Weight = weight,
            Limit = ReadInt64LittleEndian(from[AtLimit..]),
            Zeros = from.Slice(atSums - zerosLength, zerosLength).ToArray(),
            Hash = from.Slice(AtHash, Manifest.HashLength).ToArray(),
            Members = members.ToArray(),
            Sums = sums,
        };
    }

    // Somebody, and nobody whom the cube does not have.
    private static bool AreOf(TorusShape shape, ReadOnlySpan<byte> members)
    {
        int beyond = (members.Length * 8) - shape.Count;
        return members.IsEmpty || (members.ContainsAnyExcept((byte)0) && members[^1] >> (8 - beyond) == 0);
    }
}
