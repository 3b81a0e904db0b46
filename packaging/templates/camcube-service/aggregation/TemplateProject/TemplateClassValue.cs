namespace TemplateSpace;

/// <summary>What is asked: numbers and structs of them, the same on all servers.</summary>
/// <param name="Least">Only of servers that have so much.</param>
public readonly record struct TemplateClassQuestion(long Least);

/// <summary>What one server says, or many together.</summary>
/// <param name="Sum">What they have.</param>
/// <param name="Servers">How many have so much.</param>
public readonly record struct TemplateClassValue(long Sum, long Servers);

/// <summary>The answer of the command.</summary>
/// <param name="Sum">What they have.</param>
/// <param name="Servers">How many have so much.</param>
/// <param name="Asked">How many were asked.</param>
public sealed record TemplateClassSum(long Sum, long Servers, int Asked);
