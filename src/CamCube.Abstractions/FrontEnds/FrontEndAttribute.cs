namespace CamCube;

/// <summary>What the host reads of a front end without running it.</summary>
/// <param name="name">Name in configuration (<c>CamCube:FrontEnds:{name}</c>) and in the line the host prints when it
/// is ready.</param>
/// <param name="basePort">Default base port; 0: it listens on no port at all (a network card, pipes), and is given
/// none.</param>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
public sealed class FrontEndAttribute(string name, int basePort) : Attribute
{
    /// <summary>Name.</summary>
    public string Name { get; } = name;

    /// <summary>Default base port; 0: none.</summary>
    public int BasePort { get; } = basePort;

    /// <summary>Whether it is started where nobody says anything (<c>CamCube:FrontEnds:{name}:Enabled</c>). Default
    /// true; false for one that changes the machine it runs on, or needs rights.</summary>
    public bool StartsByDefault { get; set; } = true;

    /// <summary>Name of the service it is for, as in <c>[CamCubeService]</c>. A front end in an assembly of its own
    /// (<c>CamCube:FrontEnds:{name}:Assembly</c>) has to name it, is loaded if that service is, and programs against
    /// its contracts only. Default: null, a service of the same assembly.</summary>
    public string? Service { get; set; }
}
