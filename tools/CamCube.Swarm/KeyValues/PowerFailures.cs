using System.Text;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.KeyValues;

/// <summary>All servers of a group lose their power at once, and come back one by one.</summary>
internal sealed class PowerFailures(SwarmCube cube, KeyValueSettings settings, KeyValueWatch watch)
{
    private const int OneInMillis = 150;
    private readonly Random _random = SwarmRandom.Of(cube.Options.Seed, "kv power");
    private readonly List<(int Rank, long Nanos)> _away = [];
    private bool _isStill = true;

    /// <summary>How many there were.</summary>
    public long Failures { get; private set; }

    /// <summary>Whether nothing may happen.</summary>
    public void StandStill(bool isStill)
    {
        _isStill = isStill;
        if (isStill)
        {
            Return(long.MaxValue);
        }
    }

    /// <summary>Once per virtual millisecond.</summary>
    public void Step()
    {
        Return(cube.Cube.NowNanos);
        if (_isStill || _random.Next(OneInMillis) > 0)
        {
            return;
        }

        byte[] key = Encoding.UTF8.GetBytes(settings.DrawKey(_random));
        int[] ranks =
        [
            .. watch
                .GroupOf(key)
                .Planned(cube.Truth.Shape, settings.Store.Replicas)
                .Select(at => cube.Truth.Shape.RankOf(at)),
        ];
        if (!Array.TrueForAll(ranks, cube.Truth.Runs) || !StaysOneWithout(ranks))
        {
            return;
        }

        Failures++;
        long most = 3 * (long)cube.Options.DetectionTime.TotalNanoseconds;
        foreach (int rank in ranks)
        {
            cube.Kill(rank);
            _away.Add((rank, cube.Cube.NowNanos + _random.NextInt64(most)));
        }
    }

    private void Return(long now)
    {
        foreach ((int rank, _) in _away.Where(a => a.Nanos <= now).ToArray())
        {
            cube.Revive(rank);
        }

        _away.RemoveAll(a => a.Nanos <= now);
    }

    // The views of the others must find that they are the cube.
    private bool StaysOneWithout(int[] ranks)
    {
        Array.ForEach(ranks, rank => cube.Truth.SetRuns(rank, false));
        bool stays = cube.Truth.IsOneMajority();
        Array.ForEach(ranks, rank => cube.Truth.SetRuns(rank, true));
        return stays;
    }
}
