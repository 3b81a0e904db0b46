using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// Which ballot the entry at each applied index of a group has, as the beginnings of runs: leaders change seldom. So it
/// can be told of a record in the log, wherever it lies and whatever else is gone, whether it ever was.
/// </summary>
internal sealed class BallotRuns
{
    private readonly List<(ulong From, Ballot Ballot)> _runs = [];

    private ulong _to;

    /// <summary>The entry at the next index has this ballot; known already, if the index is not behind all others.
    /// </summary>
    public void Add(ulong index, Ballot ballot)
    {
        if (index <= _to)
        {
            return;
        }

        _to = index;
        if (_runs.Count == 0 || _runs[^1].Ballot != ballot)
        {
            _runs.Add((index, ballot));
        }
    }

    /// <summary>Whether the entry at an index that is applied has this ballot. Of those before the first run nothing is
    /// known against it.</summary>
    public bool Has(ulong index, Ballot ballot)
    {
        for (int i = _runs.Count - 1; i >= 0; i--)
        {
            if (_runs[i].From <= index)
            {
                return _runs[i].Ballot == ballot;
            }
        }

        return true;
    }

    public void Take(BallotRuns other)
    {
        _runs.Clear();
        _runs.AddRange(other._runs);
        _to = other._to;
    }

    public void Write(WireWriter writer)
    {
        writer.ULong(_to);
        writer.UInt((uint)_runs.Count);
        foreach ((ulong from, Ballot ballot) in _runs)
        {
            writer.ULong(from);
            EpochFormat.Write(writer, ballot);
        }
    }

    public void Read(ref WireReader reader)
    {
        _runs.Clear();
        _to = reader.ULong();
        for (uint count = reader.UInt(); count > 0 && !reader.IsBroken; count--)
        {
            _runs.Add((reader.ULong(), EpochFormat.ReadBallot(ref reader)));
        }
    }
}
