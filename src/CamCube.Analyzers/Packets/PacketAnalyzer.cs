using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace CamCube.Analyzers.Packets;

/// <summary>CC0003, CC0004: packets that are used after they were given away, and such that nobody gives back. Within a
/// method; a packet that is handed to others, or kept, is theirs.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class PacketAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
    [Rules.UsedAfterwards, Rules.Lost];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (KnownTypes.Of(start.Compilation) is { } known)
            {
                start.RegisterOperationBlockAction(block => Blocks(block, known));
            }
        });
    }

    private static void Blocks(OperationBlockAnalysisContext context, KnownTypes known)
    {
        foreach (IOperation block in context.OperationBlocks)
        {
            // Most methods have nothing to do with packets.
            bool hasPackets = block
                .Descendants()
                .Any(operation => SymbolEqualityComparer.Default.Equals(operation.Type, known.Packet));
            if (hasPackets && block is IBlockOperation or IMethodBodyBaseOperation)
            {
                Graph(context, known, context.GetControlFlowGraph(block));
            }
        }
    }

    private static void Graph(OperationBlockAnalysisContext context, KnownTypes known, ControlFlowGraph graph)
    {
        new PacketFlow(graph, known, context.ReportDiagnostic).Run();
        foreach (IMethodSymbol local in graph.LocalFunctions)
        {
            Graph(context, known, graph.GetLocalFunctionControlFlowGraph(local));
        }

        IEnumerable<IFlowAnonymousFunctionOperation> lambdas = graph
            .Blocks.SelectMany(static block => AllOf(block))
            .SelectMany(static operation => operation.DescendantsAndSelf())
            .OfType<IFlowAnonymousFunctionOperation>();
        foreach (IFlowAnonymousFunctionOperation lambda in lambdas)
        {
            Graph(context, known, graph.GetAnonymousFunctionControlFlowGraph(lambda));
        }
    }

    internal static IEnumerable<IOperation> AllOf(BasicBlock block) =>
        block.BranchValue is { } value ? block.Operations.Append(value) : block.Operations;
}
