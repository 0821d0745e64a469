/** Types of components that a manifest may leave out, by the type and the member of their owner (schema of Airbyte's CDK). */
export const DEFAULT_TYPES: Readonly<Record<string, string>> = {
  'CompositeErrorHandler.error_handlers': 'DefaultErrorHandler',
  'DatetimeBasedCursor.end_datetime': 'MinMaxDatetime',
  'DatetimeBasedCursor.end_time_option': 'RequestOption',
  'DatetimeBasedCursor.start_datetime': 'MinMaxDatetime',
  'DatetimeBasedCursor.start_time_option': 'RequestOption',
  'DeclarativeSource.check': 'CheckStream',
  'DeclarativeSource.spec': 'Spec',
  'DeclarativeSource.streams': 'DeclarativeStream',
  'DeclarativeStream.retriever': 'SimpleRetriever',
  'DeclarativeStream.schema_loader': 'JsonFileSchemaLoader',
  'DefaultErrorHandler.response_filters': 'HttpResponseFilter',
  'DefaultPaginator.page_size_option': 'RequestOption',
  'HttpRequester.error_handler': 'DefaultErrorHandler',
  'ListPartitionRouter.request_option': 'RequestOption',
  'ParentStreamConfig.request_option': 'RequestOption',
  'ParentStreamConfig.stream': 'DeclarativeStream',
  'RecordSelector.extractor': 'DpathExtractor',
  'RecordSelector.record_filter': 'RecordFilter',
  'SimpleRetriever.paginator': 'NoPagination',
  'SimpleRetriever.record_selector': 'RecordSelector',
  'SimpleRetriever.requester': 'HttpRequester',
  'SubstreamPartitionRouter.parent_stream_configs': 'ParentStreamConfig',
  'AddFields.fields': 'AddedFieldDefinition',
};

/** The same for components of a program of their own, which have a class. */
export const CUSTOM_TYPES: Readonly<Record<string, string>> = {
  'CompositeErrorHandler.backoff_strategies': 'CustomBackoffStrategy',
  'DeclarativeStream.retriever': 'CustomRetriever',
  'DeclarativeStream.transformations': 'CustomTransformation',
  'DefaultErrorHandler.backoff_strategies': 'CustomBackoffStrategy',
  'DefaultPaginator.pagination_strategy': 'CustomPaginationStrategy',
  'HttpRequester.authenticator': 'CustomAuthenticator',
  'HttpRequester.error_handler': 'CustomErrorHandler',
  'RecordSelector.extractor': 'CustomRecordExtractor',
  'SimpleRetriever.partition_router': 'CustomPartitionRouter',
};
