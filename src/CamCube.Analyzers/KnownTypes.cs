using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace CamCube.Analyzers;

/// <summary>Types of CamCube.Abstractions, as a compilation knows them. Immutable; any thread.</summary>
internal sealed class KnownTypes
{
    private static readonly string[] RootNames =
    [
        "CamCube.ICamCubeService",
        "CamCube.ILoopAgent`1",
        "CamCube.IServerAgent",
        "CamCube.IPacketSource",
    ];

    private readonly HashSet<INamedTypeSymbol> _roots;
    private readonly MemberList _loopOnly;

    private KnownTypes(Compilation compilation, INamedTypeSymbol service, INamedTypeSymbol packet)
    {
        (Service, Packet) = (service, packet);
        _roots = TypesOf(compilation, RootNames);
        _loopOnly = new MemberList("LoopMembers.txt", compilation);
        Attribute = compilation.GetTypeByMetadataName("CamCube.CamCubeServiceAttribute");
        Server = compilation.GetTypeByMetadataName("CamCube.IServer");
        Packets = compilation.GetTypeByMetadataName("CamCube.IServerPackets");
        OffLoop = compilation.GetTypeByMetadataName("CamCube.OffLoopAttribute");
        Gate = compilation.GetTypeByMetadataName("CamCube.IServerGate");
    }

    /// <summary>The interface of services.</summary>
    public INamedTypeSymbol Service { get; }

    /// <summary>Packets.</summary>
    public INamedTypeSymbol Packet { get; }

    /// <summary>The attribute of services.</summary>
    public INamedTypeSymbol? Attribute { get; }

    /// <summary>The server.</summary>
    public INamedTypeSymbol? Server { get; }

    /// <summary>Its packets.</summary>
    public INamedTypeSymbol? Packets { get; }

    /// <summary>What says of a parameter that the function there is run on another thread.</summary>
    public INamedTypeSymbol? OffLoop { get; }

    /// <summary>The way from other threads to the loop.</summary>
    public INamedTypeSymbol? Gate { get; }

    /// <summary>Those of a compilation; null: it knows nothing of services.</summary>
    public static KnownTypes? Of(Compilation compilation) =>
        compilation.GetTypeByMetadataName("CamCube.ICamCubeService") is { } service
        && compilation.GetTypeByMetadataName("CamCube.Packet") is { } packet
            ? new KnownTypes(compilation, service, packet)
            : null;

    /// <summary>Whether the loop calls what is in this type.</summary>
    public bool IsRoot(INamedTypeSymbol type) =>
        type.TypeKind == TypeKind.Class
        && type.AllInterfaces.Any(implemented => _roots.Contains(implemented.OriginalDefinition));

    /// <summary>Whether a member belongs to the loop alone.</summary>
    public bool IsLoopOnly(ISymbol member) => _loopOnly.Has(member);

    /// <summary>Whether a member is of this type.</summary>
    public static bool Is(ISymbol member, INamedTypeSymbol? type) =>
        type is not null && SymbolEqualityComparer.Default.Equals(member.ContainingType?.OriginalDefinition, type);

    private static HashSet<INamedTypeSymbol> TypesOf(Compilation compilation, string[] names) =>
        new(
            names.Select(compilation.GetTypeByMetadataName).Where(static type => type is not null).Select(t => t!),
            (IEqualityComparer<INamedTypeSymbol>)SymbolEqualityComparer.Default
        );
}
