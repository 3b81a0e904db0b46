namespace CamCube;

/// <summary>What the runtime does when a callback of a service throws on one server.</summary>
public enum FaultPolicy
{
    /// <summary>A fresh instance with empty state, as often as it throws: after a pause of one second that doubles with
    /// each fault of the last hour, up to five minutes. What made it throw may have gone by then.</summary>
    Restart = 0,

    /// <summary>The service stays stopped on this server until an operator starts it; its packets pass by base
    /// routing.</summary>
    StopHere = 1,
}
