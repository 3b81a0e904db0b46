namespace CamCube.Testbed;

/// <summary>One end of a cable.</summary>
/// <param name="Namespace">The namespace that has it.</param>
/// <param name="Port">The interface's name in there.</param>
/// <param name="Ethernet">Its Ethernet address, as in 02:cc:00:00:00:01; null: the kernel draws one.</param>
/// <param name="Address">An IP address with its prefix, as in 10.0.0.1/31; null: none.</param>
public readonly record struct VethEnd(string Namespace, string Port, string? Ethernet = null, string? Address = null);
