using CamCube.Services.Cache.Counting;
using CamCube.Swarm.Histories;

namespace CamCube.Services.Cache.Tests.Cubes;

/// <summary>Clients that go on while a test breaks and mends things.</summary>
internal sealed class ChurnLoad
{
    private readonly CacheCube _cube;
    private readonly CacheOracle _oracle = new();
    private readonly List<ChurnClient> _clients = [];

    public ChurnLoad(CacheCube cube, int clients, int keys, int seed)
    {
        _cube = cube;
        for (int i = 0; i < clients; i++)
        {
            _clients.Add(new ChurnClient(cube, _oracle, i, keys, new Random((seed * 1_000) + i)));
        }
    }

    /// <summary>Gets and sets that failed.</summary>
    public long Errors => _clients.Sum(c => c.Errors);

    public bool MayBeCutOff
    {
        init => _clients.ForEach(c => c.MayBeCutOff = value);
    }

    public void Run(TimeSpan time, TimeSpan step)
    {
        long end = _cube.Cube.NowNanos + (time.Ticks * 100);
        while (_cube.Cube.NowNanos < end)
        {
            _clients.ForEach(c => c.Step(startNext: true));
            _cube.Cube.Advance(step);
        }
    }

    /// <summary>Lets what runs end, and says how it was.</summary>
    public void End(ITestOutputHelper output)
    {
        while (_clients.Exists(c => c.IsRunning))
        {
            _clients.ForEach(c => c.Step(startNext: false));
            _cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        output.WriteLine(
            $"{_clients.Sum(c => c.Done)} operations, {_oracle.Checks} hits checked, {Errors} gets and sets failed, "
                + $"{_clients.Sum(c => c.CountErrors)} other changes failed, {_cube.Sum(CacheCount.Retries)} retries, "
                + $"{_cube.Sum(CacheCount.Refusals)} refusals, {_cube.Sum(CacheCount.RepeatedAnswers)} answers repeated"
        );
        Assert.True(_oracle.Checks > 1_000);
    }
}
