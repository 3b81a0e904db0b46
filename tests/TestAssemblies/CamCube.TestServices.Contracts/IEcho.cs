namespace CamCube.TestServices;

/// <summary>What the service echo does for others on its server.</summary>
public interface IEcho
{
    /// <summary>Times that somebody asked.</summary>
    int Count { get; }

    /// <summary>The text with the place of the server before it.</summary>
    string Echo(string text);
}
