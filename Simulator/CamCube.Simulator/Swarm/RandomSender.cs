using CamCube.Runtime.Engine;

namespace CamCube.Simulator.Swarm;

/// <summary>A service of swarm runs that sends at random times, from a stream of its own in each run. Nothing that it
/// does depends on whether anybody checks it.</summary>
internal abstract class RandomSender : CamCubeService
{
    private readonly RandomTimer _timer;

    /// <summary>A service for one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="purpose">Names its stream of random numbers.</param>
    /// <param name="perSecond">Mean rate; gaps are exponential.</param>
    protected RandomSender(IServer server, string purpose, double perSecond)
    {
        Server = server;
        Rank = server.Shape.RankOf(server.Coordinate);
        Random = server.Random.Create($"{purpose} {server.Incarnation}");
        _timer = new RandomTimer(server, Random, perSecond, SendOne);
    }

    protected IServer Server { get; }

    protected int Rank { get; }

    protected Random Random { get; }

    /// <summary>The time, which the server's own clock may have wrong.</summary>
    protected long TrueNanos => ((ServiceView)Server).Runtime.Now;

    public override void OnStart() => _timer.Start();

    protected abstract void SendOne();
}
