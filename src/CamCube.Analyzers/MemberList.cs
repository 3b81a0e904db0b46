using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace CamCube.Analyzers;

/// <summary>
/// Members that a rule is about: one of the lists in this assembly, as a compilation knows them. A line is a type, and
/// behind it names of its members: * for all, and !Name for all but this one. <c>camcube service check</c> reads the
/// same lists. Immutable; any thread.
/// </summary>
internal sealed class MemberList
{
    private readonly Dictionary<INamedTypeSymbol, HashSet<string>> _names = new(SymbolEqualityComparer.Default);

    /// <summary>Reads a list.</summary>
    /// <param name="name">Its file's name.</param>
    /// <param name="compilation">What the types are looked up in.</param>
    public MemberList(string name, Compilation compilation)
    {
        foreach (string line in Lines(name))
        {
            int colon = line.IndexOf(':');
            if (compilation.GetTypeByMetadataName(line.Substring(0, colon)) is { } type)
            {
                _names[type] = [.. line.Substring(colon + 1).Split([' '], StringSplitOptions.RemoveEmptyEntries)];
            }
        }
    }

    /// <summary>Whether a member is in the list.</summary>
    public bool Has(ISymbol member) =>
        member.ContainingType?.OriginalDefinition is { } type
        && _names.TryGetValue(type, out HashSet<string>? names)
        && (names.Contains(member.Name) || (names.Contains("*") && !names.Contains("!" + member.Name)));

    /// <summary>Whether a type, or one that it derives from, is in the list.</summary>
    public bool HasType(ITypeSymbol? type)
    {
        for (; type is not null; type = type.BaseType)
        {
            if (type is INamedTypeSymbol named && _names.ContainsKey(named.OriginalDefinition))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Lines of a list.</summary>
    public static string[] Lines(string name)
    {
        using Stream stream = typeof(MemberList).Assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);
        return [.. reader.ReadToEnd().Split('\n').Select(static line => line.Trim()).Where(static l => l.Length > 0)];
    }
}
