using System.Buffers.Binary;
using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>
/// Pieces of a file whose sums are right, and which are not the file's: found by the SHA-256 of each, which the source
/// works out when it is asked. Who gave one was perhaps given it, too, and says by whom; so the way back ends at the
/// first that has the right piece, or does not answer. Loop only.
/// </summary>
/// <param name="terms">What all jobs have in common.</param>
/// <param name="job">The job.</param>
/// <param name="line">How others are asked.</param>
internal sealed class ForgedPieces(JobTerms terms, Job job, IMemberLine line)
{
    // Wrong pieces whose way is looked for, and times that somebody is asked who does not know yet.
    private const int MostFollowed = 8,
        MostAsked = 25,
        MostNamed = 3;
    private const ushort Nobody = ushort.MaxValue;
    private readonly ushort[] _givers = NewGivers(job.Layout.All);
    private readonly SortedDictionary<int, Coordinate[]> _named = [];
    private bool[]? _wrong;

    /// <summary>Pieces that are wrong; null: it was not looked.</summary>
    public bool[]? Wrong => _wrong;

    /// <summary>Whether it is known who gave them.</summary>
    public bool IsOneNamed => _named.Count > 0;

    /// <summary>What is said of them, as the beginning of a sentence.</summary>
    public string Words =>
        IsOneNamed
            ? "pieces with right sums that were wrong came from "
                + string.Join(" and ", _named.Take(MostNamed).Select(NameOf))
            : "pieces with right sums were wrong";

    /// <summary>Somebody gave a piece.</summary>
    /// <param name="piece">The piece.</param>
    /// <param name="giver">Who; null: more than one, each a part.</param>
    public void Note(int piece, Coordinate? giver)
    {
        // What is pulled again says nothing of who gave the wrong one.
        if (_wrong is null)
        {
            _givers[piece] = giver is { } server ? (ushort)terms.Server.Shape.RankOf(server) : Nobody;
        }
    }

    /// <summary>What this server says of a piece to one that it gave it to.</summary>
    public OriginAnswer OriginOf(int piece)
    {
        if (piece < 0 || piece >= job.Layout.Pieces || _wrong is not { } wrong)
        {
            return default;
        }

        return !wrong[piece] ? new OriginAnswer(OriginKind.RightHere, default)
            : _givers[piece] == Nobody ? default
            : new OriginAnswer(OriginKind.Given, terms.Server.Shape.At(_givers[piece]));
    }

    /// <summary>Looks for them, and for who gave them. False: that cannot be said, or there is none.</summary>
    /// <param name="file">The file, whole but for these.</param>
    public async ValueTask<bool> FindAsync(IDiskFile file)
    {
        if (
            await PieceHashes.OfAsync(terms, job.Layout, file) is not { } here
            || await AskHashesAsync() is not { } right
        )
        {
            return false;
        }

        bool[] wrong = new bool[job.Layout.Pieces];
        List<int> pieces = [];
        for (int piece = 0; piece < wrong.Length; piece++)
        {
            int at = piece * Manifest.HashLength;
            wrong[piece] = !here.AsSpan(at, Manifest.HashLength).SequenceEqual(right.AsSpan(at, Manifest.HashLength));
            if (wrong[piece])
            {
                pieces.Add(piece);
            }
        }

        _wrong = wrong;
        foreach (int piece in pieces.Take(MostFollowed))
        {
            if (_givers[piece] != Nobody)
            {
                await FollowAsync(piece);
            }
        }

        return pieces.Count > 0;
    }

    private async ValueTask<byte[]?> AskHashesAsync()
    {
        byte[] all = new byte[job.Layout.Pieces * Manifest.HashLength];
        int first = 0;
        for (int asked = 0; first < job.Layout.Pieces && asked < MostAsked; asked++)
        {
            byte[] content = new byte[sizeof(int)];
            BinaryPrimitives.WriteInt32LittleEndian(content, first);
            byte[]? some = await line.AskBytesAsync(
                job.Manifest.JobNumber,
                DistributionKind.Hashes,
                content,
                job.Manifest.Source
            );
            int count = Math.Min(PieceHashes.MostAnswered, job.Layout.Pieces - first);
            if (some?.Length == count * Manifest.HashLength)
            {
                some.CopyTo(all, first * Manifest.HashLength);
                (first, asked) = (first + count, 0);
            }
            else if (!await terms.Server.DelayAsync(terms.Options.Poll))
            {
                return null;
            }
        }

        return first < job.Layout.Pieces ? null : all;
    }

    private string NameOf(KeyValuePair<int, Coordinate[]> named)
    {
        Coordinate origin = terms.Server.Shape.At(named.Key);
        return named.Value.Length == 0 ? $"{origin}" : $"{origin} (by way of {string.Join(" and ", named.Value)})";
    }

    // Of the ways from the same server the shortest.
    private async ValueTask FollowAsync(int piece)
    {
        Coordinate at = terms.Server.Shape.At(_givers[piece]);
        List<Coordinate> ways = [];
        while (ways.Count < terms.Server.Shape.Count)
        {
            OriginAnswer answer = await AskAsync(at, piece);
            if (answer.Kind is not (OriginKind.Given or OriginKind.PassedOn) || ways.Contains(answer.By))
            {
                break;
            }

            ways.Add(at);
            at = answer.By;
        }

        int origin = terms.Server.Shape.RankOf(at);
        if (!_named.TryGetValue(origin, out Coordinate[]? known) || ways.Count < known.Length)
        {
            _named[origin] = [.. ways];
        }
    }

    private async ValueTask<OriginAnswer> AskAsync(Coordinate server, int piece)
    {
        byte[] content = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(content, piece);
        OriginAnswer answer = default;
        for (int asked = 0; asked < MostAsked && answer.Kind == OriginKind.Unknown; asked++)
        {
            byte[]? said = await line.AskBytesAsync(job.Manifest.JobNumber, DistributionKind.Origin, content, server);
            answer = OriginAnswer.Read(said, terms.Server.Shape);
            if (answer.Kind == OriginKind.Unknown && !await terms.Server.DelayAsync(terms.Options.Poll))
            {
                break;
            }
        }

        return answer;
    }

    private static ushort[] NewGivers(int pieces)
    {
        ushort[] givers = new ushort[pieces];
        Array.Fill(givers, Nobody);
        return givers;
    }
}
