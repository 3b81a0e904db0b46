namespace CamCube;

/// <summary>What the host reads of a front end without running it.</summary>
/// <param name="name">Name in configuration (<c>CamCube:FrontEnds:{name}</c>) and in the line the host prints when it is ready.</param>
/// <param name="basePort">Default base port.</param>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
public sealed class FrontEndAttribute(string name, int basePort) : Attribute
{
    /// <summary>Name.</summary>
    public string Name { get; } = name;

    /// <summary>Default base port.</summary>
    public int BasePort { get; } = basePort;
}
