using CamCube.Services.KeyValue.Counting;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Recovery;

/// <summary>Mends pieces of values that have rotted here: each is fetched from another member, and written anew. One
/// after the other. Loop only.</summary>
internal sealed class PieceRepairer(IServer server, MemberHost host, KeyValueCounters counters, TimeSpan pause)
{
    private const int Rounds = 8;

    // What is left is found again, by reads and by the scrubber.
    private const int Most = 4_096;
    private readonly Queue<(PieceId Id, int Number)> _places = new();
    private readonly HashSet<(PieceId, int)> _known = [];
    private bool _isRunning;

    /// <summary>A piece has rotted.</summary>
    public void Rotten(PieceId id, int number)
    {
        if (_known.Count >= Most || !_known.Add((id, number)))
        {
            return;
        }

        _places.Enqueue((id, number));
        if (!_isRunning)
        {
            _isRunning = true;
            server.Loop.Run(Run);
        }
    }

    private async ValueTask Run()
    {
        while (_places.TryDequeue(out (PieceId Id, int Number) place))
        {
            bool isRunning = true;
            for (int round = 0; round < Rounds && isRunning && !await Mend(place.Id, place.Number); round++)
            {
                isRunning = await server.DelayAsync(pause);
            }

            _known.Remove((place.Id, place.Number));
        }

        _isRunning = false;
    }

    // False: not yet.
    private async ValueTask<bool> Mend(PieceId id, int number)
    {
        PieceKeeper keeper = host.Pieces.Keeper;
        if (keeper.NamedAt(id) is not { } at)
        {
            // Nobody needs it any more.
            return true;
        }

        byte[] buffer = GC.AllocateUninitializedArray<byte>(at.Length);
        LogRead read = await host.Log!.ReadAsync(at, buffer);
        if (
            read is not { Status: DiskStatus.Done, IsRotten: false }
            || PieceList.Read(read.Value.Span) is not { } list
            || list.Id != id
            || host.Find(new GroupId(read.Record.Group)) is not { } member
        )
        {
            // It was moved, or has rotted, too: that is mended first.
            return false;
        }

        if (await IsRight(list, number))
        {
            return true;
        }

        bool isDone = await host.Pieces.Duty.RepairAsync(member.Id.Number, list, number, host.Pieces.SourcesOf(member));
        counters.Repaired.Add(isDone ? 1 : 0);
        return isDone;
    }

    // Another range of the same batch was meant.
    private async ValueTask<bool> IsRight(PieceList list, int number)
    {
        byte[] buffer = GC.AllocateUninitializedArray<byte>(LogPieces.BufferBytes);
        LogRead read = await host.Pieces.Keeper.Pieces.ReadAsync(host.Log!, list.Id, number, buffer);
        return read is { Status: DiskStatus.Done, IsRotten: false } && read.ValueSum == list.Sums[number];
    }
}
