using CamCube.Shim.Switch.Format;

namespace CamCube.Shim.Switch.Connections;

/// <summary>What became of connections. Loop only.</summary>
internal sealed class SwitchCounts
{
    private readonly int[] _refused = new int[Enum.GetValues<GreetingFault>().Length];

    /// <summary>Connections that became open.</summary>
    public int Opened { get; set; }

    /// <summary>Connections that broke the format.</summary>
    public int Malformed { get; set; }

    /// <summary>Connections on which nothing came for too long, greetings included.</summary>
    public int Silent { get; set; }

    /// <summary>Connections that took too little for too long.</summary>
    public int Slow { get; set; }

    /// <summary>Connections closed at once, because too many had not said who they are.</summary>
    public int Crowded { get; set; }

    /// <summary>Connections that ended otherwise.</summary>
    public int Ended { get; set; }

    /// <summary>Connections that were refused for a reason.</summary>
    public int Refused(GreetingFault fault) => _refused[(int)fault];

    /// <summary>One more.</summary>
    public void Refuse(GreetingFault fault) => _refused[(int)fault]++;
}
