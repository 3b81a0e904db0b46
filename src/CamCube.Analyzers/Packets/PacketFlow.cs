using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace CamCube.Analyzers.Packets;

/// <summary>One method: what may have become of the packets in its variables, from block to block until nothing new is
/// found; then what is wrong about it.</summary>
internal sealed class PacketFlow(ControlFlowGraph graph, KnownTypes known, Action<Diagnostic> report)
{
    private readonly Dictionary<ISymbol, PacketFate>?[] _before = new Dictionary<ISymbol, PacketFate>?[
        graph.Blocks.Length
    ];
    private readonly HashSet<ISymbol> _left = new(SymbolEqualityComparer.Default);
    private readonly HashSet<SyntaxNode> _reported = [];
    private Dictionary<ISymbol, PacketFate> _fates = new(SymbolEqualityComparer.Default);
    private bool _isReporting;

    /// <summary>Reports what is wrong.</summary>
    public void Run()
    {
        LeaveOut();
        var next = new Queue<BasicBlock>();
        _before[0] = new Dictionary<ISymbol, PacketFate>(SymbolEqualityComparer.Default);
        next.Enqueue(graph.Blocks[0]);
        while (next.Count > 0)
        {
            Pass(next.Dequeue(), next);
        }

        _isReporting = true;
        foreach (BasicBlock block in graph.Blocks.Where(block => _before[block.Ordinal] is not null))
        {
            Pass(block, null);
        }
    }

    // What lambdas and local functions have, too, may be used at any time; what a finally has, on every way out.
    private void LeaveOut()
    {
        foreach (BasicBlock block in graph.Blocks)
        {
            bool isFinally = IsInFinally(block.EnclosingRegion);
            foreach (IOperation operation in PacketAnalyzer.AllOf(block).SelectMany(static o => o.DescendantsAndSelf()))
            {
                if (operation is IFlowAnonymousFunctionOperation lambda)
                {
                    LeaveOut(graph.GetAnonymousFunctionControlFlowGraph(lambda));
                }
                else if (isFinally && VariableOf(operation) is { } variable)
                {
                    _left.Add(variable);
                }
            }
        }

        foreach (IMethodSymbol local in graph.LocalFunctions)
        {
            LeaveOut(graph.GetLocalFunctionControlFlowGraph(local));
        }
    }

    private void LeaveOut(ControlFlowGraph inner)
    {
        foreach (
            IOperation operation in inner
                .Blocks.SelectMany(PacketAnalyzer.AllOf)
                .SelectMany(o => o.DescendantsAndSelf())
        )
        {
            if (VariableOf(operation) is { } variable)
            {
                _left.Add(variable);
            }
        }
    }

    private static bool IsInFinally(ControlFlowRegion? region)
    {
        for (; region is not null; region = region.EnclosingRegion)
        {
            if (region.Kind is ControlFlowRegionKind.Finally)
            {
                return true;
            }
        }

        return false;
    }

    private void Pass(BasicBlock block, Queue<BasicBlock>? next)
    {
        _fates = new Dictionary<ISymbol, PacketFate>(_before[block.Ordinal]!, SymbolEqualityComparer.Default);
        foreach (IOperation operation in block.Operations)
        {
            Visit(operation);
        }

        (ISymbol Variable, SyntaxNode Place)? rented = null;
        if (block.BranchValue is { } value)
        {
            bool isReturn = block.FallThroughSuccessor?.Semantics == ControlFlowBranchSemantics.Return;
            rented = Visit(value, isRoot: true);
            if (isReturn && VariableOf(Unwrapped(value)) is { } returned)
            {
                Keep(returned);
            }
        }

        if (block.Kind == BasicBlockKind.Exit && _isReporting)
        {
            ReportLost();
        }

        if (next is null)
        {
            return;
        }

        bool conditionalIsTrue = block.ConditionKind == ControlFlowConditionKind.WhenTrue;
        Follow(block, block.ConditionalSuccessor, conditionalIsTrue, rented, next);
        Follow(block, block.FallThroughSuccessor, !conditionalIsTrue, rented, next);
    }

    private void Follow(
        BasicBlock block,
        ControlFlowBranch? branch,
        bool isTrue,
        (ISymbol Variable, SyntaxNode Place)? rented,
        Queue<BasicBlock> next
    )
    {
        if (branch?.Destination is not { } to || branch.Semantics is ControlFlowBranchSemantics.Throw)
        {
            return;
        }

        var fates = new Dictionary<ISymbol, PacketFate>(_fates, SymbolEqualityComparer.Default);
        if (rented is { } got && block.ConditionKind != ControlFlowConditionKind.None && isTrue)
        {
            fates[got.Variable] = PacketFate.RentedAt(got.Place);
        }

        if (
            block.ConditionKind != ControlFlowConditionKind.None
            && NullTested(block.BranchValue, out bool nullWhenTrue) is { } tested
            && nullWhenTrue == isTrue
        )
        {
            // There is none.
            fates.Remove(tested);
        }

        if (_before[to.Ordinal] is not { } before)
        {
            _before[to.Ordinal] = fates;
            next.Enqueue(to);
            return;
        }

        bool isNew = false;
        foreach (KeyValuePair<ISymbol, PacketFate> fate in fates)
        {
            PacketFate old = before.TryGetValue(fate.Key, out PacketFate? found) ? found : PacketFate.None,
                both = old.Or(fate.Value);
            if (!ReferenceEquals(both, old))
            {
                before[fate.Key] = both;
                isNew = true;
            }
        }

        if (isNew)
        {
            next.Enqueue(to);
        }
    }

    // What is evaluated first comes first. Answers what a call at the root of a condition rents.
    private (ISymbol Variable, SyntaxNode Place)? Visit(IOperation operation, bool isRoot = false)
    {
        if (operation is IFlowAnonymousFunctionOperation)
        {
            return null;
        }

        foreach (IOperation child in operation.ChildOperations)
        {
            // Where a variable is written, and not read.
            bool isTarget = operation is ISimpleAssignmentOperation assignment && child == assignment.Target;
            if (!isTarget || VariableOf(child) is null)
            {
                Visit(child);
            }
        }

        switch (operation)
        {
            case ISimpleAssignmentOperation { Target: { } target } when VariableOf(target) is { } variable:
                Overwrite(variable);
                break;
            case IDeclarationPatternOperation { DeclaredSymbol: { } declared }:
                Overwrite(declared);
                break;
            case IRecursivePatternOperation { DeclaredSymbol: { } declared }:
                Overwrite(declared);
                break;
            case IInvocationOperation call:
                return Call(call, isRoot);
            default:
                if (
                    VariableOf(operation) is { } used
                    && SymbolEqualityComparer.Default.Equals(operation.Type, known.Packet)
                )
                {
                    Use(operation, used);
                }

                break;
        }

        return null;
    }

    private (ISymbol Variable, SyntaxNode Place)? Call(IInvocationOperation call, bool isRoot)
    {
        bool isOfServer = KnownTypes.Is(call.TargetMethod, known.Server),
            isOfPackets = KnownTypes.Is(call.TargetMethod, known.Packets);
        string? how =
            isOfServer && call.TargetMethod.Name is "Send" or "SendVia" or "SendToAll" ? "sent"
            : isOfPackets && call.TargetMethod.Name == "Release" ? "released"
            : null;
        if (how is not null && PacketOf(call) is { } given && VariableOf(Unwrapped(given)) is { } gone)
        {
            _fates[gone] = PacketFate.GoneAt(call.Syntax, how);
            return null;
        }

        if (isOfPackets && call.TargetMethod.Name is "TryRent" or "TryShare")
        {
            IOperation into = call.Arguments.First(static one => one.Parameter?.RefKind == RefKind.Out).Value;
            into = into is IDeclarationExpressionOperation declaration ? declaration.Expression : into;
            if (VariableOf(into) is { } variable && !_left.Contains(variable))
            {
                Overwrite(variable);
                return isRoot ? (variable, call.Syntax) : null;
            }
        }

        return null;
    }

    // Arguments may be named, in any order.
    private IOperation? PacketOf(IInvocationOperation call) =>
        call
            .Arguments.FirstOrDefault(one => SymbolEqualityComparer.Default.Equals(one.Parameter?.Type, known.Packet))
            ?.Value;

    private void Use(IOperation reference, ISymbol variable)
    {
        if (_left.Contains(variable))
        {
            return;
        }

        IOperation? user = reference.Parent;
        while (user is IConversionOperation or IParenthesizedOperation)
        {
            user = user.Parent;
        }

        if (IsNullTest(user))
        {
            return;
        }

        while (user is IDeclarationExpressionOperation)
        {
            user = user.Parent;
        }

        if (user is IArgumentOperation { Parameter.RefKind: RefKind.Out or RefKind.Ref } passed)
        {
            bool isRent =
                passed.Parent is IInvocationOperation { TargetMethod: var filling }
                && KnownTypes.Is(filling, known.Packets);
            if (!isRent)
            {
                // TrySend(ref packet): whether it is there afterwards can be seen in it.
                Keep(variable);
                _fates.Remove(variable);
            }

            return;
        }

        if (_fates.TryGetValue(variable, out PacketFate? fate) && fate.Gone is { } gone)
        {
            Report(Rules.UsedAfterwards, reference.Syntax, variable.Name, fate.How, LineOf(gone));
        }

        bool isRead =
            (user is IMemberReferenceOperation member && member.Instance is { } owner && Unwrapped(owner) == reference)
            || (user is IInvocationOperation call && call.Instance is { } instance && Unwrapped(instance) == reference)
            || (
                user is IArgumentOperation { Parent: IInvocationOperation given }
                && (KnownTypes.Is(given.TargetMethod, known.Packets) || KnownTypes.Is(given.TargetMethod, known.Server))
            );
        if (!isRead)
        {
            Keep(variable);
        }
    }

    // Another one comes into the variable.
    private void Overwrite(ISymbol variable)
    {
        if (_fates.TryGetValue(variable, out PacketFate? fate) && fate.Rented is { } place)
        {
            Report(Rules.Lost, place, variable.Name);
        }

        _fates.Remove(variable);
    }

    // It is somebody else's as well, or kept.
    private void Keep(ISymbol variable)
    {
        if (_fates.TryGetValue(variable, out PacketFate? fate) && fate.Rented is not null)
        {
            _fates[variable] = fate.Gone is { } gone ? PacketFate.GoneAt(gone, fate.How) : PacketFate.None;
        }
    }

    private void ReportLost()
    {
        foreach (KeyValuePair<ISymbol, PacketFate> fate in _fates)
        {
            if (fate.Value.Rented is { } place)
            {
                Report(Rules.Lost, place, fate.Key.Name);
            }
        }
    }

    private void Report(DiagnosticDescriptor rule, SyntaxNode place, params object[] words)
    {
        if (_isReporting && _reported.Add(place))
        {
            report(Diagnostic.Create(rule, place.GetLocation(), words));
        }
    }

    private static int LineOf(SyntaxNode place) => place.GetLocation().GetLineSpan().StartLinePosition.Line + 1;

    private static IOperation Unwrapped(IOperation operation)
    {
        while (operation is IConversionOperation conversion)
        {
            operation = conversion.Operand;
        }

        return operation;
    }

    private static ISymbol? VariableOf(IOperation operation) =>
        operation switch
        {
            ILocalReferenceOperation local => local.Local,
            // Of a ref or an out the caller has it.
            IParameterReferenceOperation { Parameter: { RefKind: RefKind.None } parameter } => parameter,
            _ => null,
        };

    private static bool IsNullTest(IOperation? user) =>
        user is IIsNullOperation or IIsPatternOperation
        || user is IBinaryOperation { OperatorKind: BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals };

    private static ISymbol? NullTested(IOperation? condition, out bool nullWhenTrue)
    {
        nullWhenTrue = true;
        switch (condition)
        {
            case IIsNullOperation test:
                return VariableOf(Unwrapped(test.Operand));
            case IIsPatternOperation
            {
                Pattern: IConstantPatternOperation { Value.ConstantValue: { HasValue: true, Value: null } }
            } test:
                return VariableOf(Unwrapped(test.Value));
            case IIsPatternOperation { Pattern: INegatedPatternOperation or IRecursivePatternOperation } test:
                nullWhenTrue = false;
                return VariableOf(Unwrapped(test.Value));
            case IBinaryOperation { OperatorKind: BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals } test:
                nullWhenTrue = test.OperatorKind == BinaryOperatorKind.Equals;
                return Unwrapped(test.RightOperand).ConstantValue is { HasValue: true, Value: null }
                    ? VariableOf(Unwrapped(test.LeftOperand))
                    : null;
            default:
                return null;
        }
    }
}
