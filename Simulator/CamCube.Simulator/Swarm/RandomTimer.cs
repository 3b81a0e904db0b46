namespace CamCube.Simulator.Swarm;

/// <summary>Calls back again and again on a server's loop, independently of when it last did (a Poisson
/// process).</summary>
internal sealed class RandomTimer
{
    private const double LongestMicros = 1e7;
    private readonly Random _random;
    private readonly double _perSecond;
    private readonly ServerTimer _timer;

    /// <summary>A timer that has not begun.</summary>
    /// <param name="server">The server.</param>
    /// <param name="random">A stream of the server, which the callback may draw from, too.</param>
    /// <param name="perSecond">Mean calls per second; 0: none.</param>
    /// <param name="act">What is called.</param>
    public RandomTimer(IServer server, Random random, double perSecond, Action act)
    {
        (_random, _perSecond) = (random, perSecond);
        _timer = server.CreateTimer(() =>
        {
            act();
            Arm();
        });
    }

    /// <summary>Begins.</summary>
    public void Start()
    {
        if (_perSecond > 0)
        {
            Arm();
        }
    }

    private void Arm() =>
        _timer.Arm(
            TimeSpan.FromMicroseconds(Math.Min(LongestMicros, -Math.Log(1 - _random.NextDouble()) * 1e6 / _perSecond))
        );
}
