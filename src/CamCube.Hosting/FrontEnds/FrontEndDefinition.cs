using System.Net;
using CamCube.Hosting.Loading;

namespace CamCube.Hosting.FrontEnds;

/// <summary>A kind of front end, of which each server gets one.</summary>
/// <param name="Name">Name.</param>
/// <param name="Address">Local address.</param>
/// <param name="Port">First port; 0: it has none.</param>
/// <param name="Plan">How instances are made.</param>
internal sealed record FrontEndDefinition(string Name, IPAddress Address, int Port, ConstructorPlan<IServerGate> Plan)
{
    /// <summary>Whether it listens on ports.</summary>
    public bool HasPort => Port != 0;

    /// <summary>Whether somebody chose its ports: then they stay where they are.</summary>
    public bool IsPortChosen { get; init; }

    /// <summary>The setting that says the first port.</summary>
    public string PortSetting => $"CamCube:FrontEnds:{Name}:Port";

    /// <summary>Makes the front end of one server.</summary>
    public IFrontEnd Create(IServerGate gate) => (IFrontEnd)Plan.Create(gate);
}
