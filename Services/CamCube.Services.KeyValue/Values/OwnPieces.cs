using System.Runtime.CompilerServices;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;

namespace CamCube.Services.KeyValue.Values;

/// <summary>Reads the pieces of one value that lie on this server's own disk: no stream, and nobody else, is needed for
/// them. Of a client that keeps up the next one is read while it takes this one. They are kept until it is disposed of.
/// Loop only; one call at a time.</summary>
/// <param name="server">The server.</param>
/// <param name="side">Has the buffers.</param>
/// <param name="pieces">Where the pieces lie.</param>
/// <param name="list">The value.</param>
internal sealed class OwnPieces(IServer server, ValueSide side, MemberPieces pieces, PieceList list) : IDisposable
{
    private readonly PieceKeeper _keeper = pieces.StoreWith(list.Id).Records.Pieces;
    private OwnRead? _now;
    private OwnRead? _next;

    /// <summary>Begins.</summary>
    /// <param name="piece">A buffer for a piece, its own from now on.</param>
    public void Begin(byte[] piece)
    {
        _keeper.Begin(list.Id);
        _now = Read(piece);
    }

    /// <summary>Gets a piece.</summary>
    /// <param name="number">Which.</param>
    /// <param name="last">The last one that is wanted.</param>
    /// <param name="isAhead">Whether the one after it is soon wanted, too.</param>
    /// <param name="patience">How long the disk may stand still.</param>
    /// <returns>The piece, until the next call. Empty: it does not come, or is not right.</returns>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<ReadOnlyMemory<byte>> GetAsync(int number, int last, bool isAhead, TimeSpan patience)
    {
        if (_next?.Number == number)
        {
            (_now, _next) = (_next, _now);
        }
        else
        {
            _now!.Begin(number);
        }

        if (isAhead && number < last)
        {
            _next ??= side.TryBeginAhead(out byte[]? buffer) ? Read(buffer) : null;
            if (_next is { IsBusy: false } next)
            {
                next.Begin(number + 1);
            }
        }

        return await _now!.EndAsync(patience);
    }

    /// <summary>Nothing more is wanted.</summary>
    public void Dispose()
    {
        _keeper.End(list.Id);
        _now?.Leave();
        _next?.Leave();
    }

    private OwnRead Read(byte[] buffer) => new(server, pieces, list, buffer, side);
}
