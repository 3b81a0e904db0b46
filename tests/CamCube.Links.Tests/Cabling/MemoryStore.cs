namespace CamCube.Cabling.Tests;

/// <summary>What a server keeps for life, in memory.</summary>
internal sealed class MemoryStore : ICablingStore
{
    private readonly Dictionary<string, string> _texts = [];

    public bool IsFull { get; set; }

    public string? Read(string name) => _texts.GetValueOrDefault(name);

    public void Write(string name, string text) => _texts[name] = IsFull ? throw new IOException("No space left on device") : text;

    public string PathOf(string name) => "memory/" + name;

    public void Delete(string name) => _texts.Remove(name);
}
