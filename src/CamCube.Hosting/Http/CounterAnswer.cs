namespace CamCube.Hosting.Http;

/// <summary>One counter of a service; without <c>link</c> if it does not count per link.</summary>
internal sealed record CounterAnswer(string Name, string Unit, string? Link, long Value);
