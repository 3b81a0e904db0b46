using CamCube.Services.KeyValue.Counting;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;

namespace CamCube.Services.KeyValue.Values;

/// <summary>Brings pieces that this server lacks from others that have them. Loop only.</summary>
internal sealed class PieceFetcher(
    IServer server,
    KeyValueOptions options,
    MemberPieces pieces,
    ValueStreams streams,
    RecoveryPace pace,
    KeyValueCounters counters
) : IPieceDuty
{
    // They have the slots for what is fetched by turns.
    private const int Most = 64;
    private const int Window = 4;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);
    private readonly HashSet<PieceId> _running = [];

    /// <summary>Values whose pieces are fetched now.</summary>
    public int Open => _running.Count;

    /// <inheritdoc/>
    public void Fetch(uint group, PieceList list, IEnumerable<Coordinate> sources, bool isRecovery)
    {
        if (_running.Count < Most && _running.Add(list.Id))
        {
            Coordinate[] all = [.. sources];
            server.Loop.Run(() => FetchAsync(group, list, all, isRecovery ? pace : null));
        }
    }

    /// <inheritdoc/>
    public Action<uint, PieceId, bool> Ended { get; set; } = static (_, _, _) => { };

    /// <inheritdoc/>
    public async ValueTask<bool> RepairAsync(uint group, PieceList list, int number, IEnumerable<Coordinate> sources)
    {
        PieceKeeper keeper = pieces.KeeperOf(group);
        keeper.Begin(list.Id);
        try
        {
            foreach (Coordinate source in sources)
            {
                if (await FetchAsync(group, list, source, (number, number), null))
                {
                    return true;
                }
            }

            return false;
        }
        finally
        {
            keeper.End(list.Id);
        }
    }

    private async ValueTask FetchAsync(uint group, PieceList list, Coordinate[] sources, RecoveryPace? held)
    {
        PieceKeeper keeper = pieces.KeeperOf(group);
        keeper.Begin(list.Id);
        try
        {
            foreach (Coordinate source in sources)
            {
                int first = keeper.Pieces.FirstMissing(list, 0);
                if (
                    await FetchAsync(group, list, source, (first, list.Sums.Count - 1), held)
                    && keeper.Pieces.IsWhole(list)
                )
                {
                    return;
                }
            }
        }
        finally
        {
            // Whoever asked for them names them before they are free to go.
            _running.Remove(list.Id);
            Ended(group, list.Id, keeper.Pieces.IsWhole(list));
            keeper.End(list.Id);
        }
    }

    private async ValueTask<bool> FetchAsync(
        uint group,
        PieceList list,
        Coordinate source,
        (int First, int Last) range,
        RecoveryPace? held
    )
    {
        // Before there is a stream: those that wait would keep the credit that others need.
        if (await streams.Fetched.TakeAsync() is not { } slot)
        {
            return false;
        }

        int written = 0,
            durable = 0;
        try
        {
            if (PieceAsker.Open(streams, source, list, options.Timeout, null, held) is not { } opened)
            {
                return false;
            }

            using PieceAsker asker = opened;
            for (int number = range.First; number <= range.Last; number++)
            {
                if (!await asker.GetAsync(number, range.Last, Window, slot))
                {
                    return false;
                }

                var piece = new PieceWrite(list.Id, number, () => durable++);
                LogAnswer answer;
                while ((answer = pieces.Write(group, piece, slot.AsSpan(0, list.LengthOf(number)))) == LogAnswer.Busy)
                {
                    if (!await server.DelayAsync(Pause))
                    {
                        return false;
                    }
                }

                if (answer != LogAnswer.Taken)
                {
                    return false;
                }

                written++;
                counters.FetchedBytes.Add(list.LengthOf(number));
            }
        }
        finally
        {
            streams.Fetched.Give(slot);
        }

        while (durable < written)
        {
            if (!await server.DelayAsync(Pause))
            {
                return false;
            }
        }

        return true;
    }
}
