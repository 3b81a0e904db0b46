#pragma warning disable CS9113 // The parameters are there to be refused.

namespace CamCube.TestServices;

/// <summary>Has the id of echo.</summary>
[CamCubeService(0x7101, "twin")]
public sealed class TwinService : CamCubeService;

/// <summary>Has an id of the runtime.</summary>
[CamCubeService(0x0005, "reserved")]
public sealed class ReservedService : CamCubeService;

/// <summary>Is no service.</summary>
[CamCubeService(0x7105, "impostor")]
public sealed class Impostor;

/// <summary>Wants a clock that is not the server's.</summary>
[CamCubeService(0x7106, "clock-watcher")]
public sealed class ClockWatcher(TimeProvider time) : CamCubeService;

/// <summary>Nobody knows which constructor to take.</summary>
[CamCubeService(0x7107, "undecided")]
public sealed class Undecided : CamCubeService
{
    /// <summary>One.</summary>
    public Undecided() { }

    /// <summary>Two.</summary>
    public Undecided(IServer server) { }
}

/// <summary>First of two of a name.</summary>
[CamCubeService(0x7108, "namesake")]
public sealed class Namesake : CamCubeService;

/// <summary>Second of two of a name.</summary>
[CamCubeService(0x7109, "namesake")]
public sealed class OtherNamesake : CamCubeService;
