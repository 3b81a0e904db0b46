namespace CamCube.Runtime.Watching;

/// <summary>A callback of a service that was seen from outside while it ran.</summary>
/// <param name="Server">Where.</param>
/// <param name="Service">Name of the service; of an agent outside of its server, the type it serves.</param>
/// <param name="Callback">What of it: <c>OnPacket</c>, <c>OnPoll</c>, <c>constructor</c>, <c>OnStart</c>,
/// <c>OnStop</c>, <c>OnTopologyChanged</c>, <c>OnReturningAsync</c>, <c>OnStoppingAsync</c>, <c>timer</c>,
/// <c>work</c> (posted work, or what follows an await), <c>call</c> (a call or command from outside),
/// <c>agent</c>.</param>
/// <param name="Nanos">For how long it has been seen, in nanoseconds: it has run at least so long.</param>
public readonly record struct CallbackSight(Coordinate Server, string Service, string Callback, long Nanos)
{
    /// <summary>As in <c>cache.OnPacket</c>.</summary>
    public string Name => $"{Service}.{Callback}";
}
