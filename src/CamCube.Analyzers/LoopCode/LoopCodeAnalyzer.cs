using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace CamCube.Analyzers.LoopCode;

/// <summary>
/// CC0001, CC0002, CC0007, CC0008, CC0010: what code must not do that the loop of a server gets to, from the members of
/// services, agents and sources, by calls within the compilation.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class LoopCodeAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
    [Rules.Blocks, Rules.Foreign, Rules.LeavesLoop, Rules.Unordered, Rules.OffLoop];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (KnownTypes.Of(start.Compilation) is { } known)
            {
                new Watch(start.Compilation, known).Register(start);
            }
        });
    }

    private sealed class Watch(Compilation compilation, KnownTypes known)
    {
        private readonly CallGraph _graph = new();
        private readonly BannedUses _banned = new(compilation);

        // They enumerate by hash code; Dictionary and HashSet do not, if nobody writes to them on other threads.
        private readonly MemberList _byHash = new("HashOrdered.txt", compilation);
        private readonly MemberList _otherThreads = new("OtherThreads.txt", compilation);

        public void Register(CompilationStartAnalysisContext start)
        {
            start.RegisterSymbolAction(Type, SymbolKind.NamedType);
            start.RegisterOperationAction(
                Look,
                OperationKind.Invocation,
                OperationKind.ObjectCreation,
                OperationKind.PropertyReference,
                OperationKind.MethodReference,
                OperationKind.AnonymousFunction,
                OperationKind.LocalFunction,
                OperationKind.Loop
            );
            start.RegisterCompilationEndAction(Report);
        }

        private void Type(SymbolAnalysisContext context)
        {
            var type = (INamedTypeSymbol)context.Symbol;
            _graph.AddType(type);
            if (known.IsRoot(type))
            {
                _graph.AddRoot(type);
            }

            foreach (IMethodSymbol method in type.GetMembers().OfType<IMethodSymbol>())
            {
                if (method is { IsAsync: true, ReturnsVoid: true } && method.Locations.FirstOrDefault() is { } place)
                {
                    _graph.AddUse(method, new LoopUse(Rules.LeavesLoop, place, VoidOf($"'{method.Name}'"), ""));
                }
            }
        }

        private void Look(OperationAnalysisContext context)
        {
            ISymbol from = OutermostOf(context.ContainingSymbol);
            switch (context.Operation)
            {
                case IInvocationOperation call:
                    Use(from, call, call.TargetMethod);
                    if (call.TargetMethod.Name == "ConfigureAwait" && IsFalse(call) && !IsStepSignal(call.Instance))
                    {
                        Add(
                            from,
                            call,
                            Rules.LeavesLoop,
                            "What comes behind ConfigureAwait(false) may run on another thread: await without it"
                        );
                    }

                    break;
                case IObjectCreationOperation { Constructor: { } constructor } made:
                    Use(from, made, constructor);
                    break;
                case IPropertyReferenceOperation property:
                    Use(from, property, property.Property);
                    break;
                case IMethodReferenceOperation reference:
                    Use(from, reference, reference.Method);
                    break;
                case ILocalFunctionOperation { Symbol: { IsAsync: true, ReturnsVoid: true } local } function:
                    Add(from, function, Rules.LeavesLoop, VoidOf($"'{local.Name}'"));
                    break;
                case IAnonymousFunctionOperation { Symbol: { IsAsync: true, ReturnsVoid: true } } lambda:
                    Add(from, lambda, Rules.LeavesLoop, VoidOf("A lambda"));
                    break;
                case IForEachLoopOperation loop when IsByHash(loop.Collection):
                    Add(from, loop.Collection, Rules.Unordered, $"The order of '{loop.Collection.Syntax}'");
                    break;
                default:
                    break;
            }
        }

        private static string VoidOf(string what) =>
            $"{what} is async void: nobody learns when it ends or what it throws; return a ValueTask and start it with "
            + "IServer.Loop.Run";

        private void Use(ISymbol from, IOperation operation, ISymbol member)
        {
            RunBy thread = ThreadOf(operation);
            IMethodSymbol[] called = member switch
            {
                IMethodSymbol method => [method],
                IPropertySymbol property =>
                [
                    .. new[] { property.GetMethod, property.SetMethod }
                        .Where(static accessor => accessor is not null)
                        .Select(static accessor => accessor!),
                ],
                _ => [],
            };
            foreach (IMethodSymbol method in called)
            {
                _graph.AddCall(from, method, thread);
            }

            string name = NameOf(member);
            if (_banned.Blocks(member) || (_banned.TakesResult(member) && !LooksFirst(operation)))
            {
                Add(from, operation, Rules.Blocks, name);
            }
            else if (_banned.AdviceOn(member) is { } advice)
            {
                Add(from, operation, Rules.Foreign, name, advice);
            }
            else if (known.IsLoopOnly(member))
            {
                Add(from, operation, Rules.OffLoop, name);
            }
        }

        private void Add(ISymbol from, IOperation at, DiagnosticDescriptor rule, string what, string advice = "") =>
            _graph.AddUse(from, new LoopUse(rule, at.Syntax.GetLocation(), what, advice) { Thread = ThreadOf(at) });

        private void Report(CompilationAnalysisContext context)
        {
            var reported = new HashSet<(DiagnosticDescriptor, Location)>();
            foreach ((LoopUse use, string way) in _graph.Breaches())
            {
                if (reported.Add((use.Rule, use.Place)))
                {
                    context.ReportDiagnostic(Diagnostic.Create(use.Rule, use.Place, use.What, way, use.Advice));
                }
            }
        }

        // Whom the innermost function that the operation is in, or is, is given to.
        private RunBy ThreadOf(IOperation operation)
        {
            for (IOperation? at = operation; at is not null; at = at.Parent)
            {
                if (
                    at is IAnonymousFunctionOperation or IMethodReferenceOperation
                    && GivenTo(at) is { Parameter: { } to }
                )
                {
                    ISymbol target = to.ContainingSymbol;
                    if (_otherThreads.Has(target) || IsOffLoop(to))
                    {
                        return RunBy.Others;
                    }

                    if (KnownTypes.Is(target, known.Gate))
                    {
                        return RunBy.Loop;
                    }
                }
            }

            return RunBy.Caller;
        }

        private static IArgumentOperation? GivenTo(IOperation function)
        {
            IOperation? at = function.Parent;
            while (at is IDelegateCreationOperation or IConversionOperation or IParenthesizedOperation)
            {
                at = at.Parent;
            }

            return at as IArgumentOperation;
        }

        private bool IsOffLoop(IParameterSymbol parameter) =>
            known.OffLoop is { } attribute
            && parameter
                .OriginalDefinition.GetAttributes()
                .Any(one => SymbolEqualityComparer.Default.Equals(one.AttributeClass, attribute));

        // Who asks whether a task has ended takes its result without waiting.
        private static bool LooksFirst(IOperation operation)
        {
            IOperation root = operation;
            while (root.Parent is not null)
            {
                root = root.Parent;
            }

            return root.Descendants()
                .OfType<IPropertyReferenceOperation>()
                .Any(static read =>
                    read.Property.Name is "IsCompleted" or "IsCompletedSuccessfully" or "IsFaulted" or "IsCanceled"
                );
        }

        private bool IsByHash(IOperation collection)
        {
            while (collection is IConversionOperation conversion)
            {
                collection = conversion.Operand;
            }

            return _byHash.HasType(
                collection is IPropertyReferenceOperation { Property.Name: "Keys" or "Values", Instance: { } owner }
                    ? owner.Type
                    : collection.Type
            );
        }

        // It goes on at once, within the call that wakes it, and asks for being awaited so.
        private static bool IsStepSignal(IOperation? awaited) =>
            awaited is IInvocationOperation { TargetMethod.ContainingType: { Name: "StepSignal" } type }
            && type.ContainingNamespace.Name == "CamCube";

        private static bool IsFalse(IInvocationOperation call) =>
            call.Arguments.Length == 1 && call.Arguments[0].Value.ConstantValue is { HasValue: true, Value: false };

        private static string NameOf(ISymbol member) =>
            member is IMethodSymbol { MethodKind: MethodKind.Constructor }
                ? $"new {member.ContainingType.Name}"
                : $"{member.ContainingType?.Name}.{member.Name}";

        // Local functions and lambdas belong to the method that they are in.
        private static ISymbol OutermostOf(ISymbol symbol)
        {
            while (symbol is IMethodSymbol { ContainingSymbol: IMethodSymbol outer })
            {
                symbol = outer;
            }

            return symbol;
        }
    }
}
