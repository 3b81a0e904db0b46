namespace CamCube;

/// <summary>What the runtime does when a callback of a service throws on one server.</summary>
public enum FaultPolicy
{
    /// <summary>A fresh instance with empty state, after a pause that doubles each time; after five faults within an hour it stays stopped.</summary>
    Restart = 0,

    /// <summary>The service stays stopped on this server; its packets pass by base routing.</summary>
    StopHere = 1,
}
