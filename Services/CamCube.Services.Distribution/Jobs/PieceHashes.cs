using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>The SHA-256 of each piece of a job's file, worked out at its source when somebody asks for the first time:
/// a member that has a piece with right sums, and not the file. Loop only.</summary>
/// <param name="terms">What all jobs have in common.</param>
/// <param name="layout">The file's pieces.</param>
/// <param name="file">The file.</param>
internal sealed class PieceHashes(JobTerms terms, PieceLayout layout, IDiskFile file)
{
    /// <summary>Hashes of one answer, at most.</summary>
    public const int MostAnswered = 1_024;

    private byte[]? _hashes;
    private bool _isBegun;

    /// <summary>Those of some pieces; empty: not yet, or there is no such piece.</summary>
    /// <param name="first">The first of them.</param>
    public ReadOnlySpan<byte> From(int first)
    {
        if (!_isBegun)
        {
            _isBegun = true;
            terms.Server.Loop.Run(async () => _hashes = await OfAsync(terms, layout, file));
        }

        return _hashes is { } hashes && first >= 0 && first < layout.Pieces
            ? hashes.AsSpan(
                first * Manifest.HashLength,
                Math.Min(MostAnswered, layout.Pieces - first) * Manifest.HashLength
            )
            : default;
    }

    /// <summary>Works out those of all pieces. Null: the file cannot be read.</summary>
    /// <param name="terms">What all jobs have in common.</param>
    /// <param name="layout">The file's pieces.</param>
    /// <param name="file">The file.</param>
    public static async ValueTask<byte[]?> OfAsync(JobTerms terms, PieceLayout layout, IDiskFile file)
    {
        byte[] hashes = new byte[layout.Pieces * Manifest.HashLength];
        byte[]? buffer;
        while ((buffer = terms.Transit.TryRent(layout.PieceBytes)) is null)
        {
            if (!await terms.Server.DelayAsync(DiskWords.BusyPause))
            {
                return null;
            }
        }

        using var step = new HashStep(buffer);
        for (int piece = 0; piece < layout.Pieces; piece++)
        {
            int length = layout.LengthOf(piece);
            DiskResult<int> read;
            do
            {
                read = await file.ReadAsync(layout.OffsetOf(piece), buffer.AsMemory(0, length));
            } while (read.Status == DiskStatus.Busy && await terms.Server.DelayAsync(DiskWords.BusyPause));

            if (read.Status == DiskStatus.Stopped || (read.IsDone && !await step.AddAsync(terms.Server, length)))
            {
                // It may be in use for good.
                terms.Transit.Lose(buffer);
                return null;
            }

            if (!read.IsDone || read.Value != length)
            {
                terms.Transit.Return(buffer);
                return null;
            }

            step.Take().CopyTo(hashes, piece * Manifest.HashLength);
        }

        terms.Transit.Return(buffer);
        return hashes;
    }
}
