namespace CamCube.Hosting.Observing;

/// <summary>A part of the host that knows of things that are not as they should be. Asked by any thread, also while a
/// loop hangs: it must not wait for one.</summary>
internal interface IHealthSource
{
    /// <summary>What is not as it should be now; empty: all is well.</summary>
    IEnumerable<HealthReason> Reasons();
}
