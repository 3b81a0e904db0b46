using CamCube.Trees;

namespace CamCube.Services.Distribution.Wire;

/// <summary>What all servers of a job know of it: the file, its pieces and their sums, and who is to have it. The same
/// everywhere, made by its source. Immutable.</summary>
internal sealed class Manifest
{
    /// <summary>Bytes of a SHA-256.</summary>
    public const int HashLength = 32;

    /// <summary>The job's number, never 0.</summary>
    public required ulong JobNumber { get; init; }

    /// <summary>Who has the file: the root of all trees.</summary>
    public required Coordinate Source { get; init; }

    /// <summary>The file's name at the members.</summary>
    public required string Name { get; init; }

    /// <summary>Whether a file that has the name already is replaced.</summary>
    public required bool Replaces { get; init; }

    /// <summary>Its bytes.</summary>
    public required long Length { get; init; }

    /// <summary>Bytes of every piece but the last.</summary>
    public required int PieceBytes { get; init; }

    /// <summary>SHA-256 of the file.</summary>
    public required byte[] Hash { get; init; }

    /// <summary>Who is to have it, a bit by rank; empty: all.</summary>
    public required byte[] Members { get; init; }

    /// <summary>Bytes of every block but a piece's last: so much goes on at a time.</summary>
    public required int BlockBytes { get; init; }

    /// <summary>Which trees it goes along.</summary>
    public TreeKind Kind { get; init; }

    /// <summary>How many of its trees carry parity.</summary>
    public int Code { get; init; }

    /// <summary>How it shares links with other jobs, from 1.</summary>
    public int Weight { get; init; } = 1;

    /// <summary>Most bytes of the file per second that a member is given; 0: as many as links carry.</summary>
    public long Limit { get; init; }

    /// <summary>CRC32C of each block, piece after piece, those of parity last.</summary>
    public required uint[] Sums { get; init; }

    /// <summary>Which pieces are nothing but zeros, a bit each; empty: none.</summary>
    public byte[] Zeros { get; init; } = [];

    /// <summary>Whether a piece is nothing but zeros: it is not sent.</summary>
    public bool IsZero(int piece) => Zeros.Length > 0 && (Zeros[piece >> 3] >> (piece & 7) & 1) != 0;

    /// <summary>Whether a server is to have it.</summary>
    public bool HasMember(int rank) => Members.Length == 0 || (Members[rank >> 3] >> (rank & 7) & 1) != 0;

    /// <summary>Who is to have it.</summary>
    public Coordinate[] MembersIn(TorusShape shape) =>
        [.. Enumerable.Range(0, shape.Count).Where(HasMember).Select(shape.At)];

    /// <summary>Pieces of a file.</summary>
    public static long PiecesOf(long length, int pieceBytes) => length / pieceBytes + (length % pieceBytes > 0 ? 1 : 0);

    /// <summary>Blocks of a file.</summary>
    public static long BlocksOf(long length, int pieceBytes, int blockBytes) =>
        (length / pieceBytes * PiecesOf(pieceBytes, blockBytes)) + PiecesOf(length % pieceBytes, blockBytes);

    /// <summary>The bits of members.</summary>
    public static byte[] BitsOf(IReadOnlyCollection<Coordinate> members, TorusShape shape)
    {
        byte[] bits = members.Count == 0 ? [] : new byte[LengthOfBits(shape)];
        foreach (Coordinate member in members)
        {
            int rank = shape.RankOf(member);
            bits[rank >> 3] |= (byte)(1 << (rank & 7));
        }

        return bits;
    }

    /// <summary>Bytes that hold a bit for each server.</summary>
    public static int LengthOfBits(TorusShape shape) => (shape.Count + 7) / 8;
}
