namespace CamCube.Faults;

/// <summary>A cube that obeys fault rules by itself: a simulated one.</summary>
public interface IFaultyCube
{
    /// <summary>Its rules. Any thread.</summary>
    LinkFaultRules LinkFaults { get; }
}
