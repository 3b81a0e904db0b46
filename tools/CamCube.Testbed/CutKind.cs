namespace CamCube.Testbed;

/// <summary>How a cable is cut.</summary>
public enum CutKind
{
    /// <summary>The server's interface is set down: like a pulled plug, both ends' kernels know at once.</summary>
    Pulled = 0,

    /// <summary>What the server sends is thrown away behind its interface; what it hears still comes, and no kernel
    /// says anything.</summary>
    OneWay = 1,

    /// <summary>What both servers send is thrown away, and no kernel says anything.</summary>
    Silent = 2,
}
